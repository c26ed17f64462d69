import type { ReceivedComparison, ReceivedRun } from '../contract/received/cluster-report.ts'
import { count, number, signed } from '../util/words.ts'
import { type Piece, type Said, safe, type Tone } from './said.ts'

/**
 * Marks a score with gaps: checks that did not run, and missing parts that an earlier scan read. Scanners count a check that did
 * not run as passed, so such a score can rise without an improvement. Every medium shows the mark.
 */
export const gapMark = '*'

/** Footnote that explains the mark. */
export const gapNote = `${gapMark} marks a score with gaps: checks did not run, or are missing from the scan.`

export interface ScoreGaps {
  not_run_checks?: number | null | undefined
  scope_gaps?: number | null | undefined
}

/** Whether a score excludes checks, namespaces or kinds of reports. A server may not return their number. */
export const hasGaps = ({ not_run_checks, scope_gaps }: ScoreGaps) =>
  not_run_checks != null && not_run_checks + (scope_gaps ?? 0) > 0

/** `12 checks did not run, 1 of the accepted scope is missing`; empty for a score without gaps. */
export function gapsText({ not_run_checks, scope_gaps }: ScoreGaps) {
  const parts = [
    ...(not_run_checks ? [`${count(not_run_checks, 'check')} did not run`] : []),
    ...(scope_gaps
      ? [`${number(scope_gaps)} that an earlier scan read ${scope_gaps === 1 ? 'is' : 'are'} missing`]
      : []),
  ]
  return parts.join(', ')
}

/** `13.22*` for a score with gaps; null without a score. */
export function markedScore(score: number | null | undefined, scored: ScoreGaps): string | null {
  if (score == null) return null
  return `${score}${hasGaps(scored) ? gapMark : ''}`
}

/** Like `markedScore`, as pieces; undefined without a score. */
export function scoreSaid(
  run: (ScoreGaps & { score?: number | null | undefined }) | null | undefined,
): Said | undefined {
  if (run?.score == null) return undefined
  const gaps = { ...safe(gapMark, 'warn'), hint: `With gaps: ${gapsText(run)}` }
  return [safe(number(run.score)), ...(hasGaps(run) ? [gaps] : [])]
}

export const scoreTone = (delta: number | null | undefined): Tone =>
  delta == null || delta === 0 ? 'soft' : delta < 0 ? 'bad' : 'good'

/** `+8.5`; `n/a` if a scan has no score, or the two do not cover the same checks. */
export const scoreChange = (delta: number | null | undefined): Said => [
  delta == null ? safe('n/a') : safe(signed(delta), scoreTone(delta)),
]

type ScoreOf = ScoreGaps & Pick<ReceivedRun, 'score'>

export const scorePiece = (run: ScoreOf | null): Piece => safe(markedScore(run?.score, run ?? {}) ?? 'n/a')

/** Whether both scans have a score, of different coverage. */
export const isIncomparable = ({ from, to, score_delta }: ScoresOf) =>
  score_delta === null && from?.score != null && to?.score != null

/** Undefined if the change is known. */
export function whyNoChange({ from, to, score_delta }: ScoresOf): string | undefined {
  if (score_delta !== null) return undefined
  if (to?.score == null) return 'the run has no score'
  if (from?.score == null) return 'the earlier run has no score'
  return 'the scans did not look at the same'
}

type ScoresOf = Pick<ReceivedComparison, 'score_delta'> & { from: ScoreOf | null; to: ScoreOf | null }

/** `60 → 90* (not comparable)`; a single score if there is no earlier one. */
export function scoresText(run: ScoreOf, comparison: ScoresOf | undefined) {
  const after = markedScore(run.score, run) ?? 'none'
  if (comparison?.from?.score == null) return after
  return `${scorePiece(comparison.from).text} → ${after}${isIncomparable({ ...comparison, to: run }) ? ' (not comparable)' : ''}`
}
