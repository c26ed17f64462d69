import { isObject } from '../util/json.ts'
import { shown } from './not-run-text.ts'
import { memberWithRows, shapeFor, strangeMember } from './strange-member.ts'

/** Parsers of rows, run later: `Items` may come before the members that say how to read it. */
export type Batches = (() => unknown[])[]

export interface CheckMembers {
  values: Record<string, unknown>
  /** Undefined if the check has no `Items`. */
  rows: Batches | undefined
}

/** A check, its members renamed from those of its report generation to the current names. */
export interface CheckForm extends CheckMembers {
  total: unknown
  /** False if the total counts something else, such as warnings: then rows that are findings are counted instead. */
  totalIsOfRows: boolean
  /** The first generation keys checks by name and has no severities. */
  isFirstGeneration: boolean
  /** An unknown member that may mean the check did not pass. */
  stray: string | undefined
}

interface Names {
  total?: string
  rows?: string
  totalIsOfRows?: false
}

/** Checks of KubeBuddy before 2025-04, with their own names for total and rows. */
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

/** Empty namespaces are listed by name only, not as objects. */
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

/** Members in all later generations, and in the list that the native client uploads when it cannot read its own file. */
const checkShape = shapeFor({
  known:
    'ID Name Category Section Severity Weight Description Recommendation URL ResourceKind Total Items Message Status Error ' +
    'ObservedValue FailMessage SummaryMessage SuppressedTotal SuppressedFindings UsedPrometheus ' +
    'AutomaticRelevance AutomaticScope AutomaticReason AutomaticAdmissionBehavior AutomaticMutationOutcome ' +
    'CheckType RecommendationHTML SpeechBubble RecommendationSource FailMessageText CompatItems',
})

/** An unknown flag, object or list of rows could mean that the check did not pass. */
function strayMember(values: Record<string, unknown>): string | undefined {
  const flag = Object.keys(values).find((key) => !checkShape.known.has(key) && isFlag(values[key]))
  return strangeMember(values, checkShape) ?? (flag === undefined ? undefined : `the unknown member ${shown(flag)}`)
}

const isFlag = (value: unknown): boolean =>
  typeof value === 'boolean' || isObject(value) || (Array.isArray(value) && value.some((each) => isObject(each)))
