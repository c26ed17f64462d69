import type { ReceivedComparison, ReceivedRun } from '../contract/received/cluster-report.ts'

/**
 * A score leaves out what the scan did not look at: checks that did not run, and parts of the accepted scope that are missing.
 * Scanners count a check that did not run as passed, so such a score is not progress, and every medium marks it.
 */
export const gapMark = '*'

/** For a footnote. */
export const gapNote = `${gapMark} marks a score with gaps: checks did not run, or are missing from the scan.`

interface Gaps {
  not_run_checks?: number | null | undefined
  scope_gaps?: number | null | undefined
}

/** How many checks, namespaces and kinds of reports a score leaves out; undefined where a server does not say. */
export function countScoreGaps({ not_run_checks, scope_gaps }: Gaps): number | undefined {
  return not_run_checks == null ? undefined : not_run_checks + (scope_gaps ?? 0)
}

export const hasGaps = (scored: Gaps): boolean => (countScoreGaps(scored) ?? 0) > 0

/** `12 checks did not run, 1 is missing`; empty for a score of everything. */
export function gapsText({ not_run_checks, scope_gaps }: Gaps): string {
  const parts = [
    ...(not_run_checks ? [`${not_run_checks} ${not_run_checks === 1 ? 'check' : 'checks'} did not run`] : []),
    ...(scope_gaps ? [`${scope_gaps} of the accepted scope ${scope_gaps === 1 ? 'is' : 'are'} missing`] : []),
  ]
  return parts.join(', ')
}

/** `13.22*` for a score with gaps; null where there is none. */
export function markedScore(score: number | null | undefined, scored: Gaps): string | null {
  if (score == null) return null
  return `${score}${hasGaps(scored) ? gapMark : ''}`
}

type ScoredRun = Pick<ReceivedRun, 'not_run_checks' | 'checks_not_run' | 'gaps_key' | 'is_empty'>
type ScoredComparison = Pick<ReceivedComparison, 'scope_changes'> & { from: ScoredRun | null; to: ScoredRun | null }

/** Whether the scores of two runs rest on the same checks in the same places. Unknown is no. */
export function isScoreComparable({ from, to, scope_changes: scope }: ScoredComparison): boolean {
  if (!from || !to || from.is_empty || to.is_empty) return false
  if (scope && Object.values(scope).some((names) => names.length > 0)) return false
  const [before, after] = [gapsOf(from), gapsOf(to)]
  return before !== undefined && before === after
}

/** The same text for the same gaps; undefined where a server does not say. */
function gapsOf({ gaps_key, not_run_checks, checks_not_run }: ScoredRun): string | undefined {
  if (gaps_key !== undefined) return gaps_key
  if (checks_not_run) return JSON.stringify(checks_not_run.map(({ check_id }) => check_id).sort())
  return not_run_checks === 0 ? '[]' : undefined
}

/** What a change of the score shows. A fall is taken seriously whatever it rests on. */
export type ScoreChange = 'better' | 'worse' | 'same' | 'unclear'

export function judgeScoreChange(delta: number, isComparable: boolean | null | undefined): ScoreChange {
  if (delta < 0) return 'worse'
  if (isComparable !== true) return 'unclear'
  return delta > 0 ? 'better' : 'same'
}

/** `60 → 90*, not comparable`; one score where there is no earlier run. */
export function scoresText(
  run: ScoreOf,
  comparison: (ScoredComparison & { from: ScoreOf | null; score_delta: number | null }) | undefined,
): string {
  const after = markedScore(run.score, run) ?? 'none'
  const before = comparison && markedScore(comparison.from?.score, comparison.from ?? {})
  if (!comparison || !before) return after
  const { score_delta } = comparison
  const isUnclear = score_delta !== null && judgeScoreChange(score_delta, isScoreComparable(comparison)) === 'unclear'
  return `${before} → ${after}${isUnclear ? ', not comparable' : ''}`
}

interface ScoreOf extends Gaps {
  score: number | null
}

/**
 * The points of a trend that can be compared with each other: those with the gaps that most of them have. Others are no
 * progress and no fall, and are not plotted.
 */
export function comparablePoints<P extends { gaps_key?: string | undefined } & Gaps>(points: P[]): Set<P> {
  const byGaps = Map.groupBy(points, keyOf)
  const largest = [...byGaps.values()].reduce<P[]>((most, own) => (own.length >= most.length ? own : most), [])
  return new Set(largest)
}

/** The same points, where those that cannot be compared have no figures that rest on checks. */
export function plottedPoints<P extends TrendFigures>(points: P[]): P[] {
  const comparable = comparablePoints(points)
  const none = { score: null, findings: null, failed_checks: null }
  return points.map((point) => (comparable.has(point) ? point : { ...point, ...none }))
}

interface TrendFigures extends Gaps {
  gaps_key?: string | undefined
  score: number | null
  findings: number | null
  failed_checks: number | null
}

/** `2 of 8 runs have other gaps than most, and are not plotted`; undefined where all can be compared. */
export function oddPointsText(points: TrendFigures[]): string | undefined {
  const odd = points.length - comparablePoints(points).size
  if (odd === 0) return undefined
  return `${odd} of ${points.length} runs ${odd === 1 ? 'has' : 'have'} other gaps than most, and ${odd === 1 ? 'is' : 'are'} not plotted`
}

const keyOf = ({ gaps_key, not_run_checks }: { gaps_key?: string | undefined } & Gaps): string =>
  gaps_key ?? String(not_run_checks ?? '')
