import type { ClusterTrend, TrendPoint } from '../../contract/cluster-report.ts'

/** Limit per answer, because each point opens a run. */
const mostRuns = 60

/** The points of each trend whose runs an answer can open. */
export function samplePoints(trends: ClusterTrend[]): TrendPoint[][] {
  const each = Math.max(1, Math.floor(mostRuns / Math.max(1, trends.length)))
  return trends.map(({ points }) => spread(points, each))
}

/** The newest, and evenly those before it. */
function spread(points: TrendPoint[], most: number): TrendPoint[] {
  const count = Math.min(points.length, most)
  const step = points.length / count
  return Array.from({ length: count }, (_, index) => points.at(-1 - Math.floor(index * step))!)
}
