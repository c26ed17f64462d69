import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import { notUnderstood, shown } from '../../not-run-text.ts'
import { shapeFor, strangeMember } from '../../strange-member.ts'
import { string } from '../../text.ts'
import { object, objects, type Values } from '../values.ts'

/** Limits are kubescape's, for factors from 0 to 10. */
export function severityOfFactor(factor: number | undefined): FindingSeverity {
  // kubescape writes an unknown factor as 0.
  if (factor === undefined || factor <= 0 || factor > 10) return 'unknown'
  if (factor >= 9) return 'critical'
  if (factor >= 7) return 'high'
  if (factor >= 4) return 'medium'
  return factor >= 1 ? 'low' : 'info'
}

export interface Status {
  status: string | undefined
  subStatus: string | undefined
  info: string | undefined
}

/** A status is a word, or an object that contains one. */
export function statusFor(value: unknown): Status {
  const { status, subStatus, info } = object(value)
  const word = (string(value) ?? string(status))?.toLowerCase()
  return { status: word, subStatus: string(subStatus), info: string(info) }
}

/** Why a control neither passed nor failed. */
export function skipReason({ status, subStatus, info }: Status) {
  if (status === 'passed' || status === 'failed' || status === 'excluded' || status === 'irrelevant') return undefined
  if (status === 'skipped' || status === 'error') return info ?? subStatus ?? status
  return notUnderstood(status === undefined ? 'it has no status' : `its status is ${shown(status)}`)
}

/** Whether an exception covers the resource, which would otherwise have failed the control. */
export function isException({ status, subStatus }: Status) {
  const byException = subStatus === 'w/exceptions' || subStatus === 'exceptions'
  return status === 'excluded' || (status === 'passed' && byException)
}

const shape = shapeFor({ known: 'controlID name status rules severity' })

const ruleShape = shapeFor({
  known: 'name status subStatus info paths exception ruleResponse controlConfigurations relatedResourcesIDs',
})
const statusShape = shapeFor({ known: 'status subStatus info innerInfo' })

/** Other members of a status object that contradict it. */
export const doubtOfStatus = (value: unknown) => strangeMember(object(value), statusShape)

/** Why a passed resource is in doubt: one of its rules failed. */
export function doubtOfResource(control: Values) {
  const failed = objects(control.rules).find((rule) => statusFor(rule).status === 'failed')
  if (failed) return `the failed rule ${shown(failed.name)}`
  const inRules = objects(control.rules).map((rule) => strangeMember(rule, ruleShape))
  return strangeMember(control, shape) ?? doubtOfStatus(control.status) ?? inRules.find(Boolean)
}

const maxPaths = 5

export function failedPaths(control: Values) {
  const paths = objects(control.rules)
    .flatMap((rule) => objects(rule.paths))
    .flatMap(({ failedPath, fixPath, reviewPath, deletePath }) => {
      // In operator reports, `fixPath` is a text, and paths that do not apply are empty.
      const each = [failedPath, object(fixPath).path, fixPath, reviewPath, deletePath]
      return each.map(string).find(Boolean) ?? []
    })
  return [...new Set(paths)].slice(0, maxPaths)
}
