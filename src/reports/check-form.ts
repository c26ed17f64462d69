import { isObject } from '../util/json.ts'
import { shown } from './not-run-text.ts'
import { memberWithRows, shapeFor, strangeMember } from './strange-member.ts'

/** Each parses some rows: `Items` may come before the members that say how to read them. */
export type Batches = (() => unknown[])[]

export interface CheckMembers {
  values: Record<string, unknown>
  /** Undefined without `Items`. */
  rows: Batches | undefined
}

/** A check with the members of its generation under the names of the later ones. */
export interface CheckForm extends CheckMembers {
  total: unknown
  /** False where the total counts something else, such as warnings: then the rows that are findings are counted. */
  totalIsOfRows: boolean
  /** The generation that keyed its checks by name and gave them no severity. */
  isFirstGeneration: boolean
  /** A member that no generation has, and that may speak against a pass. */
  stray: string | undefined
}

interface Names {
  total?: string
  rows?: string
  totalIsOfRows?: false
}

/** Checks of KubeBuddy until 2025-04, with their own names for total and rows. */
const firstGeneration = new Map<string, Names>(
  Object.entries({
    nodeConditions: { total: 'NotReady' },
    nodeResources: { total: 'Warnings', totalIsOfRows: false },
    emptyNamespace: { total: 'TotalEmptyNamespaces', rows: 'Namespaces' },
    eventSummary: { total: 'TotalWarnings', rows: 'Summary', totalIsOfRows: false },
    ...Object.fromEntries(
      [
        'resourceQuotas namespaceLimitRanges daemonSetIssues HPA missingResourceLimits PDB missingProbes podsRestart',
        'podLongRunning podFail podPending crashloop leftoverDebug stuckJobs jobFail servicesWithoutEndpoints publicServices',
        'unmountedPV rbacMisconfig rbacOverexposure orphanedRoles orphanedServiceAccounts orphanedConfigMaps orphanedSecrets',
        'podsRoot privilegedContainers hostPidNet deploymentIssues statefulSetIssues ingressHealth AKSBestPractices',
      ].flatMap((names) => names.split(' ').map((name) => [name, {}])),
    ),
  }),
)

export function formOfCheck(key: string, { values, rows }: CheckMembers): CheckForm {
  const names = values.ID === undefined && values.Severity === undefined ? firstGeneration.get(key) : undefined
  const own = names?.total !== undefined && values[names.total] !== undefined
  return {
    values,
    rows: rows ?? (names?.rows !== undefined ? toRows(values[names.rows]) : undefined),
    total: own ? values[names.total!] : values.Total,
    totalIsOfRows: !own || names?.totalIsOfRows !== false,
    isFirstGeneration: names !== undefined,
    stray: names ? memberWithRows(values, firstShape) : strayMember(values),
  }
}

/** Empty namespaces are listed by their names alone. */
function toRows(list: unknown): CheckMembers['rows'] {
  if (list === undefined) return undefined
  const rows = Array.isArray(list) ? list : list === null ? [] : [list]
  return [() => rows.map((row) => (typeof row === 'string' ? { Namespace: row } : row))]
}

/** The fields of rows in all generations. */
export const rowFields = 'Namespace Resource Message Value Issue Issues Reason Node Pod Object Status Name'

const firstShape = shapeFor({
  known: 'Total Items NotReady Warnings TotalEmptyNamespaces Namespaces TotalWarnings Summary Events',
  rows: rowFields,
})

/** Of all later generations, and of the list that the native client uploads when it cannot read its own file. */
const checkShape = shapeFor({
  known:
    'ID Name Category Section Severity Weight Description Recommendation URL ResourceKind Total Items Message Status Error ' +
    'ObservedValue FailMessage SummaryMessage SuppressedTotal SuppressedFindings UsedPrometheus ' +
    'AutomaticRelevance AutomaticScope AutomaticReason AutomaticAdmissionBehavior AutomaticMutationOutcome ' +
    'CheckType RecommendationHTML SpeechBubble RecommendationSource FailMessageText CompatItems',
})

/** Beside those that any object may have, a flag, an object and rows of any form could say that the check did not pass. */
function strayMember(values: Record<string, unknown>): string | undefined {
  const flag = Object.keys(values).find((key) => !checkShape.known.has(key) && isFlag(values[key]))
  return strangeMember(values, checkShape) ?? (flag === undefined ? undefined : `the unknown member ${shown(flag)}`)
}

const isFlag = (value: unknown): boolean =>
  typeof value === 'boolean' || isObject(value) || (Array.isArray(value) && value.some((each) => isObject(each)))
