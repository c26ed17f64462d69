import { findingSeverities } from '../../contract/choices.ts'
import type { FindingCounts } from '../../contract/scan-finding.ts'

/** Points that each finding costs; an unknown severity may be the worst. */
const points = { critical: 10, high: 5, medium: 2, low: 0.5, info: 0, unknown: 10 }

/** Number of points at which the score is 50. */
const half = 100

/**
 * The score of a report whose scanner gives none: 100 without findings, less with each finding, never 0. Depends on the
 * run's counts only. Two decimals.
 */
export function computeScore(counts: FindingCounts) {
  const cost = findingSeverities.reduce((sum, severity) => sum + points[severity] * counts[severity], 0)
  return Math.round((100 * 100 * half) / (half + cost)) / 100
}
