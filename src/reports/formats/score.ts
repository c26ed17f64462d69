import type { FindingCounts } from '../../contract/scan-finding.ts'

/** Points that one finding costs. */
const points = { critical: 10, high: 5, medium: 2, low: 0.5, info: 0 }

/** With so many points the score is 50. */
const half = 100

/**
 * The score of a report whose scanner gives none: 100 without findings, less with each one, never 0. It follows from the
 * run's counts alone. In hundredths.
 */
export function computeScore(counts: FindingCounts): number {
  const { critical, high, medium, low } = points
  const cost = critical * counts.critical + high * counts.high + medium * counts.medium + low * counts.low
  return Math.round((100 * 100 * half) / (half + cost)) / 100
}
