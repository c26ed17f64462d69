import type { FindingSeverity } from '../contract/scan-finding.ts'

/** Null where a server does not state it. */
type Severity = FindingSeverity | null | undefined

export const severityText = (severity: Severity): string => severity ?? 'unknown'
