import { errorTable } from '../../../errors.ts'
import type { Policy } from '../../../gate/policy.ts'
import type { SubmitContext } from '../../../submit/context.ts'
import type { Review } from '../../../submit/review.ts'
import type { SubmitOutcome } from '../../../submit/submission.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { renderJudged, renderRun } from './run-view.ts'

interface OutcomeView {
  outcome: SubmitOutcome
  review: Review
  /** A comparison was requested. */
  compare?: boolean | undefined
  /** In place of the run's figures: what runs says more of its cluster. */
  status?: string | undefined
  /** Additional members of the answer. */
  members: object
}

interface Submission extends Pick<OutcomeView, 'outcome' | 'compare'> {
  report: Uint8Array
  policy: Policy | undefined
  /** Message if the report was not stored already. */
  done: string
  /** Members of the answer about a scan. */
  facts?: object
  /** File for a page about the run. */
  html?: string | undefined
}

/** Requests and shows what the command wants to know of a submission. Throws if the gate did not pass. */
export async function reviewAndShow(cli: Cli, context: SubmitContext, submission: Submission) {
  const { outcome, report, compare, policy, done, facts, html } = submission
  // Printed before further requests: if these fail, the report is still stored.
  if (outcome.uploaded) say(cli, outcome.uploaded.duplicate ? 'Already stored' : done)
  const { review } = await import('../../../submit/review.ts')
  const run = facts !== undefined || cli.format === 'table'
  const reviewed = await review(context, outcome, { report, compare, policy, run })
  const { comparison, gate } = reviewed
  const members = {
    ...(facts && outcome.uploaded && { run: reviewed.run ?? null }),
    ...facts,
    ...(compare && { comparison: comparison ?? null }),
    ...(gate && { gate: gate.result }),
  }
  const isInventory = outcome.uploaded && reviewed.run?.format === 'inventory' && !gate && cli.format === 'table'
  const status = isInventory ? await (await import('../status/one.ts')).statusText(cli, reviewed.run!) : undefined
  await showOutcome(cli, { outcome, review: reviewed, compare, status, members })
  if (html) {
    const { writeSubmitted } = await import('./write-submitted.ts')
    await writeSubmitted(cli.context, html, { outcome, report, judgement: gate })
  }
  if (gate) (await import('../gate/verdict.ts')).requirePassed(gate.result)
}

/** Shows the outcome of a submission: stored or queued, changes, and the gate's verdict. */
export async function showOutcome(cli: Cli, view: OutcomeView) {
  const { outcome, review, compare, members } = view
  const without = outcome.spooled
    ? 'The comparison is available once the report is sent.'
    : 'The cluster has no earlier run to compare with.'
  await show(cli, {
    body: { ...toBody(outcome), ...members },
    text: (io, now) => renderOutcome(io, view, now),
    note: compare && !review.comparison && without,
  })
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

async function renderOutcome(io: Io, { outcome, review, compare, status }: OutcomeView, now: number) {
  const { run, comparison, gate } = review
  const id = outcome.spooled?.spool_id ?? outcome.uploaded?.run_id
  const changes = compare && comparison && (await import('./compare-view.ts')).renderComparison(io, comparison)
  if (gate) {
    // The verdict names the run.
    const figures = run ? renderJudged(io, run) : ''
    const { renderGate } = await import('../gate/view.ts')
    return `${changes ? `${changes}\n` : ''}${figures}${renderGate(io, gate.result, figures)}`
  }
  return [`${id}\n${status ?? (run ? renderRun(io, run, { now }) : '')}`, ...(changes ? [changes] : [])].join('\n')
}
