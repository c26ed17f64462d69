import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import { string } from '../../read.ts'
import { object, objects } from '../values.ts'

type Values = Record<string, unknown>

/** The bounds are kubescape's own. */
export function severityOfFactor(factor = 0): FindingSeverity {
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

/** Either a word, or an object with more than that. */
export function statusOf(value: unknown): Status {
  const { status, subStatus, info } = object(value)
  return { status: string(value) ?? string(status), subStatus: string(subStatus), info: string(info) }
}

export function skipReason({ status, subStatus, info }: Status): string | undefined {
  if (status !== 'skipped' && status !== 'error') return undefined
  return info ?? subStatus ?? status
}

/** The resource would have failed the control. */
export function isException({ status, subStatus }: Status): boolean {
  const byException = subStatus === 'w/exceptions' || subStatus === 'exceptions'
  return status === 'excluded' || (status === 'passed' && byException)
}

const maxPaths = 5

export function failedPaths(control: Values): string[] {
  const paths = objects(control.rules)
    .flatMap((rule) => objects(rule.paths))
    .flatMap((path) => pathOf(path) ?? [])
  return [...new Set(paths)].slice(0, maxPaths)
}

/** In the reports of the operator, `fixPath` is a text and the paths that do not apply are empty. */
function pathOf({ failedPath, fixPath, reviewPath, deletePath }: Values): string | undefined {
  const paths = [failedPath, object(fixPath).path, fixPath, reviewPath, deletePath]
  return paths.map(string).find(Boolean)
}
