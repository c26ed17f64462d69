import type { ReceivedComparison, ReceivedRun } from '../contract/received/cluster-report.ts'
import { count, number, signed } from '../util/words.ts'
import { type Piece, type Said, safe, type Tone } from './said.ts'

/**
 * Marks a score with gaps: checks that did not run, and missing parts of the accepted scope. Scanners count a check that did
 * not run as passed, so such a score can rise without an improvement. Every medium shows the mark.
 */
export const gapMark = '*'

/** Footnote that explains the mark. */
export const gapNote = `${gapMark} marks a score with gaps: checks did not run, or are missing from the scan.`

export interface ScoreGaps {
  not_run_checks?: number | null | undefined
  scope_gaps?: number | null | undefined
}

/** Number of checks, namespaces and kinds of reports that a score excludes; undefined if a server does not return it. */
function countScoreGaps({ not_run_checks, scope_gaps }: ScoreGaps): number | undefined {
  return not_run_checks == null ? undefined : not_run_checks + (scope_gaps ?? 0)
}

export const hasGaps = (scored: ScoreGaps): boolean => (countScoreGaps(scored) ?? 0) > 0

/** `12 checks did not run, 1 of the accepted scope is missing`; empty for a score without gaps. */
export function gapsText({ not_run_checks, scope_gaps }: ScoreGaps): string {
  const parts = [
    ...(not_run_checks ? [`${count(not_run_checks, 'check')} did not run`] : []),
    ...(scope_gaps ? [`${number(scope_gaps)} of the accepted scope ${scope_gaps === 1 ? 'is' : 'are'} missing`] : []),
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

type ScoredRun = Pick<ReceivedRun, 'not_run_checks'> &
  Partial<Pick<ReceivedRun, 'checks_not_run' | 'gaps_key' | 'is_empty'>>

type Scans = Pick<ReceivedComparison, 'scope_changes'> &
  Pick<ReceivedComparison, 'incomparable_findings' | 'incomparable_findings_count'> & {
    from: ScoredRun | null
    to: ScoredRun | null
  }

/** Whether the scores of both scans cover the same checks and namespaces. False if unknown. */
export function coverSameChecks({ from, to, scope_changes: scope, ...found }: Scans): boolean {
  if (!from || !to || from.is_empty || to.is_empty) return false
  if (!scope || Object.values(scope).some((names) => names.length > 0)) return false
  if (missesFindings(found)) return false
  const [before, after] = [gapsFor(from), gapsFor(to)]
  return before !== undefined && before === after
}

/**
 * Whether one scan could not see findings of the other. A report that lists fewer findings than it counts still scores all.
 */
function missesFindings({
  incomparable_findings: groups,
  incomparable_findings_count: many,
}: Pick<Scans, 'incomparable_findings' | 'incomparable_findings_count'>): boolean {
  const unlisted = (groups ?? []).filter(({ reason }) => reason === 'not_listed')
  return many === null || many > unlisted.reduce((sum, { count }) => sum + count, 0)
}

/** Equal texts mean equal gaps; undefined if a server does not return them. */
function gapsFor({ gaps_key, not_run_checks, checks_not_run }: ScoredRun): string | undefined {
  if (gaps_key !== undefined) return gaps_key
  if (not_run_checks === 0) return ''
  return checks_not_run && JSON.stringify(checks_not_run.map(({ check_id }) => check_id).sort())
}

/** A drop is always red; a rise is green only between scans of the same checks. */
export const scoreTone = (delta: number | null | undefined, areAlike: boolean): Tone =>
  delta == null || delta === 0 ? 'soft' : delta < 0 ? 'bad' : areAlike ? 'good' : 'soft'

/** `+8.5`, `+30 (not comparable)`, or `n/a` if a scan has no score. */
export function scoreChange(delta: number | null | undefined, areAlike: boolean): Said {
  if (delta == null) return [safe('n/a')]
  return [safe(signed(delta), scoreTone(delta, areAlike)), ...(areAlike ? [] : [safe(' (not comparable)', 'soft')])]
}

type ScoreOf = ScoreGaps & Pick<ReceivedRun, 'score'>

export const scorePiece = (run: ScoreOf | null): Piece => safe(markedScore(run?.score, run ?? {}) ?? 'n/a')

/** `60 → 90* (not comparable)`; a single score if there is no earlier one. */
export function scoresText(run: ScoreOf, comparison: (Scans & { from: ScoreOf | null }) | undefined): string {
  const after = markedScore(run.score, run) ?? 'none'
  if (comparison?.from?.score == null) return after
  return `${scorePiece(comparison.from).text} → ${after}${coverSameChecks(comparison) ? '' : ' (not comparable)'}`
}
