import { findingSeverities } from '../contract/choices.ts'
import type { FindingCounts } from '../contract/scan-finding.ts'
import { computeScore } from './formats/score.ts'
import type { CheckGuidance, Guidance } from './guidance.ts'

/**
 * The points that the score would gain if a check had no findings, in descending order. Uses the scanner's weights if the report has them: KubeBuddy's score is the weighted
 * mean of 1 / (findings + 1) over its checks. Else uses relt's own formula, which counts findings by severity.
 */
export function scoreGains(
  { checks, totalWeight }: Guidance,
  solved: RowsOfCheck = ({ rows }) => rows,
): { basis: 'weights' | 'formula'; gains: { check: CheckGuidance; points: number }[] } {
  const gains = (pointsOf: (check: CheckGuidance) => number) =>
    checks
      .map((check) => ({ check, points: pointsOf(check) }))
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points)
  if (totalWeight !== null) {
    return {
      basis: 'weights',
      gains: gains((check) => {
        const total = sum(check.rows)
        const left = Math.max(0, total - sum(solved(check)))
        return (((check.weight ?? 0) * (1 / (left + 1) - 1 / (total + 1))) / totalWeight) * 100
      }),
    }
  }
  const all = findingSeverities.map((_, rank) => sum(checks.map(({ rows }) => rows[rank] ?? 0)))
  const score = computeScore(toCounts(all))
  return {
    basis: 'formula',
    gains: gains((check) => {
      const own = solved(check)
      return computeScore(toCounts(all.map((count, rank) => count - (own[rank] ?? 0)))) - score
    }),
  }
}

/** Selects the rows of a check to count, by severity. */
export type RowsOfCheck = (check: CheckGuidance) => number[]

/** The score that a run would have with only these rows, by the formula of its own score. */
export function scoreOfRows({ checks, totalWeight }: Guidance, toRows: RowsOfCheck): number {
  if (totalWeight === null) {
    return computeScore(
      toCounts(findingSeverities.map((_, rank) => sum(checks.map((check) => toRows(check)[rank] ?? 0)))),
    )
  }
  const lost = checks.map((check) => (check.weight ?? 0) * (1 - 1 / (sum(toRows(check)) + 1)))
  return (1 - sum(lost) / totalWeight) * 100
}

function toCounts(rows: number[]): FindingCounts {
  const [critical = 0, high = 0, medium = 0, low = 0, info = 0, unknown = 0] = rows
  return { total: sum(rows), critical, high, medium, low, info, unknown }
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)
