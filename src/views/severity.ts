import type { FindingSeverity } from '../contract/scan-finding.ts'

/** Null if a server does not return it. */
type Severity = FindingSeverity | null | undefined

export const severityText = (severity: Severity): string => severity ?? 'unknown'
