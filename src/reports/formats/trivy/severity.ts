import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import { string } from '../../read.ts'

const severities = new Map<string, FindingSeverity>([
  ['CRITICAL', 'critical'],
  ['HIGH', 'high'],
  ['MEDIUM', 'medium'],
  ['LOW', 'low'],
])

/** `UNKNOWN` is info. */
export const readSeverity = (word: unknown): FindingSeverity =>
  severities.get(string(word)?.toUpperCase() ?? '') ?? 'info'
