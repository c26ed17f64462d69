import type { ReceivedComparison, ReceivedRun } from '../contract/received/cluster-report.ts'
import { signed } from '../util/words.ts'
import { type Piece, safe, type Tone } from './said.ts'

type Scans = Pick<ReceivedComparison, 'scope_changes'> & {
  from: Pick<ReceivedRun, 'not_run_checks'> | null
  to: Pick<ReceivedRun, 'not_run_checks'> | null
}

/**
 * Whether both scans covered the same checks, as far as that is known. A scanner counts a check that did not run as passed, so
 * that its score can rise while nothing gets better.
 */
export const coverSameChecks = ({ from, to, scope_changes: scope }: Scans): boolean =>
  from?.not_run_checks === 0 &&
  to?.not_run_checks === 0 &&
  !!scope &&
  Object.values(scope).every((names) => names.length === 0)

/** A fall is bad; a rise is good only between scans of the same checks. */
export const scoreTone = (delta: number | null | undefined, areAlike: boolean): Tone | undefined =>
  delta == null || delta === 0 ? 'soft' : delta < 0 ? 'bad' : areAlike ? 'good' : 'soft'

/** `+8.5`, or `n/a` where one of the two scans has no score. */
export const scoreChange = (delta: number | null | undefined, areAlike: boolean): Piece =>
  delta == null ? safe('n/a') : safe(signed(delta), scoreTone(delta, areAlike))

export const scorePiece = (run: Pick<ReceivedRun, 'score'> | null): Piece =>
  safe(run?.score == null ? 'n/a' : String(run.score))
