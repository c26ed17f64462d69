import { count } from '../util/words.ts'
import type { ScoreGaps } from './score.ts'

interface Gaps extends ScoreGaps {
  gaps_key?: string | undefined
}

/**
 * The points of a trend that can be compared with each other: those with the gaps that most of them have. Others show no progress
 * and no fall, and are not plotted.
 */
export function comparablePoints<P extends Gaps>(points: P[]): Set<P> {
  const byGaps = Map.groupBy(points, ({ gaps_key, not_run_checks }) => gaps_key ?? String(not_run_checks ?? ''))
  const largest = [...byGaps.values()].reduce<P[]>((most, own) => (own.length >= most.length ? own : most), [])
  return new Set(largest)
}

interface TrendFigures extends Gaps {
  score: number | null
  findings: number | null
  failed_checks: number | null
}

/** The same points, where those that cannot be compared have no figures that rest on checks. */
export function plottedPoints<P extends TrendFigures>(points: P[]): P[] {
  const comparable = comparablePoints(points)
  const none = { score: null, findings: null, failed_checks: null }
  return points.map((point) => (comparable.has(point) ? point : { ...point, ...none }))
}

/** `2 of 8 runs have other gaps than most, and are not plotted`; undefined where all can be compared. */
export function oddPointsText(points: TrendFigures[]): string | undefined {
  const odd = points.length - comparablePoints(points).size
  if (odd === 0) return undefined
  const verbs = odd === 1 ? (['has', 'is'] as const) : (['have', 'are'] as const)
  return `${odd} of ${count(points.length, 'run')} ${verbs[0]} other gaps than most, and ${verbs[1]} not plotted`
}
