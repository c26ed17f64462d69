import { findingSeverities } from '../../contract/choices.ts'
import type { SuppressedRow } from '../../reports/finding-index.ts'
import { checkAt, countAt, placeAt, rankAt } from '../../reports/finding-records.ts'
import { namespacesAt } from '../../reports/place-sets.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import type { NotRunCheck } from '../../reports/scan.ts'
import type { LatestRun } from '../../store/runs/latest-run.ts'

export type Order = 'severity' | 'check' | 'namespace' | 'cluster' | 'count' | 'first-seen'

/** A run in the search; its findings are opened on demand and not cached. */
export interface LookedAt {
  position: number
  stored: LatestRun
}

/** One row of the response, without its texts. */
export interface FindingCandidate {
  run: LookedAt
  /** Offset of a record, a suppressed finding, or a check that did not run. */
  subject: number | SuppressedRow | NotRunCheck
  /** Rank of the severity; an unknown one sorts last. */
  rank: number
  check: string
  checkName: string
  namespace: string
  count: number
  /** Unix seconds. */
  firstSeen: number
  /** Position in the report. */
  place: number
}

/** Rank for rows without a severity, such as a check that did not run: after all severities. */
export const noRank = findingSeverities.length

/** Converts the record at an offset. */
export function toCandidate(
  run: LookedAt,
  { records, checks, namespaces, places }: RunFindings['index'],
  at: number,
): FindingCandidate {
  const [namespace = 0, ...others] = namespacesAt(records, at, places)
  const check = checks[checkAt(records, at)]!
  return {
    run,
    subject: at,
    rank: rankAt(records, at),
    check: check.id,
    checkName: check.name,
    namespace: namespace === 0 || others.length > 0 ? '' : namespaces[namespace - 1]!,
    count: countAt(records, at),
    firstSeen: 0,
    place: placeAt(records, at),
  }
}

/** Compares instead of subtracting, because the difference of two infinities is NaN. */
export const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)
export const withinRun = (a: FindingCandidate, b: FindingCandidate): number =>
  compare(a.check, b.check) || a.place - b.place
const byRun = (a: FindingCandidate, b: FindingCandidate): number => a.run.position - b.run.position
const bySeverity = (a: FindingCandidate, b: FindingCandidate): number =>
  a.rank - b.rank || byRun(a, b) || withinRun(a, b)

/** Sorts findings without a namespace last. */
const byNamespace = (a: FindingCandidate, b: FindingCandidate): number =>
  Number(a.namespace === '') - Number(b.namespace === '') || compare(a.namespace, b.namespace)

export const compareBy: Record<Order, (a: FindingCandidate, b: FindingCandidate) => number> = {
  severity: bySeverity,
  cluster: (a, b) => byRun(a, b) || bySeverity(a, b),
  check: (a, b) => compare(a.check, b.check) || bySeverity(a, b),
  namespace: (a, b) => byNamespace(a, b) || bySeverity(a, b),
  count: (a, b) => b.count - a.count || bySeverity(a, b),
  'first-seen': (a, b) => compare(a.firstSeen, b.firstSeen) || bySeverity(a, b),
}

export function mergeSorted(
  a: FindingCandidate[],
  b: FindingCandidate[],
  compare: (a: FindingCandidate, b: FindingCandidate) => number,
  limit: number,
): FindingCandidate[] {
  if (b.length === 0) return a
  return [...a, ...b].sort(compare).slice(0, limit)
}
