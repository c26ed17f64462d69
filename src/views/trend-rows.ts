import type { ReceivedClusterTrend, ReceivedTrendPoint } from '../contract/received/cluster-report.ts'
import { number, signed } from '../util/words.ts'
import { markedScore } from './score.ts'
import { comparablePoints } from './trend-points.ts'
import { columnsOf, numberOrNone } from './view.ts'

/** A cluster's runs of one scanner in a period. */
export interface TrendRow {
  trend: ReceivedClusterTrend
  runs: number
  /** First of the comparable runs. */
  first: ReceivedTrendPoint | undefined
  latest: ReceivedTrendPoint | undefined
  /** Change of the score; undefined if there is nothing to compare. */
  change: number | undefined
}

/** The largest drop of the score first; incomparable trends are between drops and rises. */
export function trendRows(trends: readonly ReceivedClusterTrend[]) {
  const orderOf = ({ change }: TrendRow) => change ?? 0.05
  return trends.map(toRow).sort((a, b) => orderOf(a) - orderOf(b))
}

function toRow(trend: ReceivedClusterTrend) {
  const comparable = comparablePoints(trend.points)
  const known = trend.points.filter((point) => comparable.has(point))
  const [first, latest] = [known[0], known.at(-1)]
  return { trend, runs: trend.points.length, first, latest, change: toChange(first, latest) }
}

function toChange(first: TrendRow['first'], latest: TrendRow['latest']) {
  if (first === latest || first?.score == null || latest?.score == null) return undefined
  return Math.round((latest.score - first.score) * 10) / 10
}

/** Columns to compare the trends of clusters. */
export const trendColumns = columnsOf<TrendRow>()({
  cluster: {
    reveals: 'cluster',
    min: 12,
    cut: true,
    text: ({ trend }) => trend.cluster_name ?? 'Unknown cluster',
  },
  environment: { reveals: 'environment', min: 4, cut: true, text: ({ trend }) => trend.environment },
  scanner: { reveals: 'safe', text: ({ trend }) => trend.format ?? 'n/a' },
  runs: { reveals: 'safe', align: 'right', from: 60, text: ({ runs }) => number(runs) },
  first: { reveals: 'safe', align: 'right', text: ({ first }) => numberOrNone(first?.score) },
  score: {
    reveals: 'safe',
    align: 'right',
    text: ({ latest }) => markedScore(latest?.score, latest ?? {}) ?? 'n/a',
  },
  change: {
    reveals: 'safe',
    align: 'right',
    text: ({ change }) => (change === undefined ? 'n/a' : change === 0 ? '0' : signed(change)),
  },
  findings: {
    reveals: 'safe',
    align: 'right',
    from: 70,
    text: ({ first, latest }) => `${numberOrNone(first?.findings)} → ${numberOrNone(latest?.findings)}`,
  },
  scanned: { reveals: 'safe', as: 'time', from: 100, text: ({ latest }) => latest?.at ?? null },
})
