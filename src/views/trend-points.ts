import type { ReceivedTrendPoint } from '../contract/received/cluster-report.ts'
import { count } from '../util/words.ts'
import { safe } from './said.ts'
import { gapNote, markedScore, type ScoreGaps, scoreSaid } from './score.ts'
import { titled } from './titles.ts'
import { columnsOf, type Note, noteIn, numberOrNone } from './view.ts'

interface Gaps extends ScoreGaps {
  gaps_key?: string | undefined
}

/**
 * The points of a trend that are comparable: those with the most common gaps. Others show no progress, and are not plotted.
 */
export function comparablePoints<P extends Gaps>(points: P[]): Set<P> {
  const byGaps = Map.groupBy(points, ({ gaps_key, not_run_checks }) => gaps_key ?? String(not_run_checks ?? ''))
  return new Set([...byGaps.values()].reduce<P[]>((most, own) => (own.length >= most.length ? own : most), []))
}

interface TrendFigures extends Gaps {
  score: number | null
  findings: number | null
  failed_checks: number | null
}

/** The same points, with check-dependent figures removed from incomparable ones. */
export function plottedPoints<P extends TrendFigures>(points: P[]): P[] {
  const comparable = comparablePoints(points)
  const none = { score: null, findings: null, failed_checks: null }
  return points.map((point) => (comparable.has(point) ? point : { ...point, ...none }))
}

/** `2 of 8 runs have other gaps than most, and are not plotted`; undefined if all are comparable. */
export function oddPointsText(points: TrendFigures[]): string | undefined {
  const odd = points.length - comparablePoints(points).size
  if (odd === 0) return undefined
  const verbs = odd === 1 ? (['has', 'is'] as const) : (['have', 'are'] as const)
  return `${odd} of ${count(points.length, 'run')} ${verbs[0]} other gaps than most, and ${verbs[1]} not plotted`
}

export interface Measure {
  key: string
  title: string
  value: (point: ReceivedTrendPoint) => number | null
  /** The scale of a plot, if not derived from the values. */
  from?: number
  to?: number
}

/** Figures that are plotted over time. Lines have no tone, because a trend is no verdict. */
export const trendMeasures: Measure[] = [
  { ...titled('score'), value: ({ score }) => score, from: 0, to: 100 },
  { ...titled('findings'), value: ({ findings }) => findings, from: 0 },
  { ...titled('failed_checks'), value: ({ failed_checks }) => failed_checks, from: 0 },
]
const readinessMeasure: Measure = {
  key: 'aks_blockers',
  title: 'Blockers of AKS Automatic',
  from: 0,
  value: ({ aks_blockers }) => aks_blockers ?? null,
}

/** The figures available for plotting some points. */
export const toMeasures = (points: readonly ReceivedTrendPoint[]) => [
  ...trendMeasures,
  ...(points.some(({ aks_blockers }) => aks_blockers != null) ? [readinessMeasure] : []),
]

/** Why a plot lacks runs that are in the table. */
export function oddNotes(points: ReceivedTrendPoint[]): Note[] {
  const text = oddPointsText(points)
  return text === undefined ? [] : [noteIn('warn', [safe(`${text}. ${gapNote}`)])]
}

type Point = Pick<
  ReceivedTrendPoint,
  'at' | 'score' | 'findings' | 'failed_checks' | 'not_run_checks' | 'scope_gaps'
> & {
  run_id?: string | null
}

const known = (of: (point: Point) => number | null | undefined) => ({
  reveals: 'safe' as const,
  align: 'right' as const,
  text: (point: Point) => numberOrNone(of(point)),
  data: (point: Point) => of(point) ?? null,
})

/** Columns of the runs in a trend. */
export const pointColumns = columnsOf<Point>()({
  scanned: {
    text: ({ at }) => at,
    as: 'time',
    reveals: 'safe',
    link: ({ run_id }) => (run_id ? { page: 'run', run_id } : undefined),
  },
  score: {
    reveals: 'safe',
    align: 'right',
    text: (point) => markedScore(point.score, point) ?? 'n/a',
    said: (point) => scoreSaid(point) ?? [safe('n/a')],
    data: ({ score }) => score,
  },
  findings: known(({ findings }) => findings),
  failed_checks: known(({ failed_checks }) => failed_checks),
  not_run: known(({ not_run_checks }) => not_run_checks),
})
