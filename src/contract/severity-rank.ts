import type { FindingSeverity } from './scan-finding.ts'
import type { Severity } from './shape.ts'

/** Worst first. Findings have `info`, advisories `none`; `unknown` comes last. */
export const severityOrder = ['critical', 'high', 'medium', 'low', 'info', 'none', 'unknown'] as const satisfies (
  | FindingSeverity
  | Severity
)[]

type Rated = FindingSeverity | Severity | null | undefined

/** Sort key: a smaller rank is worse. */
export const severityRank = (severity: Rated) => severityOrder.indexOf(severity ?? 'unknown')

export const bySeverity = (a: { severity: Rated }, b: { severity: Rated }) =>
  severityRank(a.severity) - severityRank(b.severity)

export const isAsSevere = (severity: Rated, limit: Rated) => severityRank(severity) <= severityRank(limit)

/** Returns `none` for an empty list. */
export const highest = (severities: readonly Severity[]) =>
  severities.toSorted((a, b) => severityRank(a) - severityRank(b))[0] ?? 'none'
