import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import { string } from '../../text.ts'
import { type Rating, unrated } from '../collector.ts'

const severities = new Map<string, FindingSeverity>([
  ['CRITICAL', 'critical'],
  ['HIGH', 'high'],
  ['MEDIUM', 'medium'],
  ['LOW', 'low'],
])

/** `UNKNOWN` is Trivy's word for unrated, which counts as info. Any other word, or none, is an unknown severity. */
export function readSeverity(word: unknown): Rating {
  const known = string(word)?.toUpperCase() ?? ''
  return severities.get(known) ?? (known === 'UNKNOWN' ? unrated('info') : 'unknown')
}
