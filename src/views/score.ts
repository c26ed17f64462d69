import type { ReceivedComparison, ReceivedRun } from '../contract/received/cluster-report.ts'
import { count, number, signed } from '../util/words.ts'
import { type Piece, type Said, safe, type Tone } from './said.ts'

/**
 * A score leaves out what the scan did not look at: checks that did not run, and parts of the accepted scope that are missing.
 * Scanners count a check that did not run as passed, so that such a score can rise while nothing gets better. Every medium marks it.
 */
export const gapMark = '*'

/** For a footnote. */
export const gapNote = `${gapMark} marks a score with gaps: checks did not run, or are missing from the scan.`

export interface ScoreGaps {
  not_run_checks?: number | null | undefined
  scope_gaps?: number | null | undefined
}

/** How many checks, namespaces and kinds of reports a score leaves out; undefined where a server does not say. */
export function countScoreGaps({ not_run_checks, scope_gaps }: ScoreGaps): number | undefined {
  return not_run_checks == null ? undefined : not_run_checks + (scope_gaps ?? 0)
}

export const hasGaps = (scored: ScoreGaps): boolean => (countScoreGaps(scored) ?? 0) > 0

/** `12 checks did not run, 1 of the accepted scope is missing`; empty for a score of everything. */
export function gapsText({ not_run_checks, scope_gaps }: ScoreGaps): string {
  const parts = [
    ...(not_run_checks ? [`${count(not_run_checks, 'check')} did not run`] : []),
    ...(scope_gaps ? [`${number(scope_gaps)} of the accepted scope ${scope_gaps === 1 ? 'is' : 'are'} missing`] : []),
  ]
  return parts.join(', ')
}

/** `13.22*` for a score with gaps; null where there is none. */
export function markedScore(score: number | null | undefined, scored: ScoreGaps): string | null {
  if (score == null) return null
  return `${score}${hasGaps(scored) ? gapMark : ''}`
}

/** The same in pieces; undefined where there is no score. */
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

/** Whether the scores of both scans rest on the same checks in the same places. Unknown is no. */
export function coverSameChecks({ from, to, scope_changes: scope, ...found }: Scans): boolean {
  if (!from || !to || from.is_empty || to.is_empty) return false
  if (!scope || Object.values(scope).some((names) => names.length > 0)) return false
  if (missesFindings(found)) return false
  const [before, after] = [gapsFor(from), gapsFor(to)]
  return before !== undefined && before === after
}

/** One of the scans did not see findings of the other. A report that lists fewer than it counts scores all of them. */
function missesFindings({
  incomparable_findings: groups,
  incomparable_findings_count: many,
}: Pick<Scans, 'incomparable_findings' | 'incomparable_findings_count'>): boolean {
  const unlisted = (groups ?? []).filter(({ reason }) => reason === 'not_listed')
  return many === null || many > unlisted.reduce((sum, { count }) => sum + count, 0)
}

/** The same text for the same gaps; undefined where a server does not say. */
function gapsFor({ gaps_key, not_run_checks, checks_not_run }: ScoredRun): string | undefined {
  if (gaps_key !== undefined) return gaps_key
  if (not_run_checks === 0) return ''
  return checks_not_run && JSON.stringify(checks_not_run.map(({ check_id }) => check_id).sort())
}

/** A fall is bad whatever it rests on; a rise is good only between scans of the same checks. */
export const scoreTone = (delta: number | null | undefined, areAlike: boolean): Tone =>
  delta == null || delta === 0 ? 'soft' : delta < 0 ? 'bad' : areAlike ? 'good' : 'soft'

/** `+8.5`, `+30 (not comparable)`, or `n/a` where one of the two scans has no score. */
export function scoreChange(delta: number | null | undefined, areAlike: boolean): Said {
  if (delta == null) return [safe('n/a')]
  return [safe(signed(delta), scoreTone(delta, areAlike)), ...(areAlike ? [] : [safe(' (not comparable)', 'soft')])]
}

type ScoreOf = ScoreGaps & Pick<ReceivedRun, 'score'>

export const scorePiece = (run: ScoreOf | null): Piece => safe(markedScore(run?.score, run ?? {}) ?? 'n/a')

/** `60 → 90* (not comparable)`; one score where there is no earlier one. */
export function scoresText(run: ScoreOf, comparison: (Scans & { from: ScoreOf | null }) | undefined): string {
  const after = markedScore(run.score, run) ?? 'none'
  if (comparison?.from?.score == null) return after
  return `${scorePiece(comparison.from).text} → ${after}${coverSameChecks(comparison) ? '' : ' (not comparable)'}`
}
