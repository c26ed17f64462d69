import type { ClusterTrend, TrendPoint } from '../../contract/cluster-report.ts'

/** Limit per response, because each point opens a run. */
const mostRuns = 60

/** The points of each trend whose runs a response opens. */
export function samplePoints(trends: ClusterTrend[]): TrendPoint[][] {
  const each = Math.max(1, Math.floor(mostRuns / Math.max(1, trends.length)))
  return trends.map(({ points }) => spread(points, each))
}

/** The newest point, and evenly spaced earlier ones. */
function spread(points: TrendPoint[], most: number): TrendPoint[] {
  const count = Math.min(points.length, most)
  const step = points.length / count
  return Array.from({ length: count }, (_, index) => points.at(-1 - Math.floor(index * step))!)
}
