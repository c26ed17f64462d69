import type { ClusterTrend, TrendPoint } from '../../contract/cluster-report.ts'

/** Limit per response, because each point opens a run. */
const mostRuns = 60

/** The points of each trend whose runs a response opens: the newest, and evenly spaced earlier ones. */
export function samplePoints(trends: ClusterTrend[]): TrendPoint[][] {
  const each = Math.max(1, Math.floor(mostRuns / Math.max(1, trends.length)))
  return trends.map(({ points }) => {
    const count = Math.min(points.length, each)
    const step = points.length / count
    return Array.from({ length: count }, (_, index) => points.at(-1 - Math.floor(index * step))!)
  })
}
