import { findingSeverities } from '../contract/choices.ts'
import type { FindingSeverity } from '../contract/scan-finding.ts'

/** Null where a server does not state it. */
type Severity = FindingSeverity | null | undefined

/** For sorting: a smaller rank is worse. */
const severityRank = (severity: Severity): number => findingSeverities.indexOf(severity ?? 'unknown')

/** The worst first. */
export const bySeverity = (a: { severity: Severity }, b: { severity: Severity }): number =>
  severityRank(a.severity) - severityRank(b.severity)

export const severityText = (severity: Severity): string => severity ?? 'unknown'
