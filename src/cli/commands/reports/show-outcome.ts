import { errorTable } from '../../../errors.ts'
import type { Review } from '../../../submit/review.ts'
import type { SubmitOutcome } from '../../../submit/submission.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { renderRun } from './run-view.ts'

export interface OutcomeView {
  outcome: SubmitOutcome
  review: Review
  /** A comparison was requested. */
  compare?: boolean | undefined
  /** Additional members of the answer. */
  members: object
}

/** Printed before further requests: if these fail, the report is still stored. */
export function printSubmitted(cli: Cli, { uploaded }: SubmitOutcome, done: string): void {
  if (uploaded) say(cli, uploaded.duplicate ? 'Already stored' : done)
}

/** Shows the outcome of a submission: stored or queued, changes, and the gate's verdict. */
export async function showOutcome(cli: Cli, view: OutcomeView): Promise<void> {
  const { outcome, review, compare, members } = view
  const without = outcome.spooled
    ? 'The comparison is available once the report is sent.'
    : 'The cluster has no earlier run to compare with.'
  await show(cli, {
    body: { ...toBody(outcome), ...members },
    text: (io, now) => renderOutcome(io, view, now),
    ...(compare && !review.comparison && { note: without }),
  })
}

/** The optional members of an answer, if requested. */
export function membersFor({ comparison, gate }: Review, compare: boolean | undefined): object {
  return { ...(compare && { comparison: comparison ?? null }), ...(gate && { gate: gate.result }) }
}

/** Answer for a queued upload, instead of the contract's. */
function toBody(outcome: SubmitOutcome): object {
  if (outcome.uploaded) return outcome.uploaded
  const { spooled, reason } = outcome
  const { code, message } = reason
  return {
    success: true,
    spooled: true,
    spool_id: spooled.spool_id,
    server: spooled.server,
    reason: { code: errorTable[code].wire, message },
  }
}

async function renderOutcome(io: Io, { outcome, review, compare }: OutcomeView, now: number): Promise<string> {
  const { run, comparison, gate } = review
  const id = outcome.spooled?.spool_id ?? outcome.uploaded?.run_id
  const parts = [`${id}\n${run ? renderRun(io, run, { now }) : ''}`]
  if (compare && comparison) parts.push((await import('./compare-view.ts')).renderComparison(io, comparison))
  if (gate) parts.push((await import('../gate/view.ts')).renderGate(io, gate.result))
  return parts.join('\n')
}
