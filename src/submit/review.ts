import type { ReceivedComparison, ReceivedRun } from '../contract/received/cluster-report.ts'
import { ReltError } from '../errors.ts'
import type { Policy } from '../gate/policy.ts'
import type { SubmitContext } from './context.ts'
import { compareWithPrevious, findStoredRun } from './follow-up.ts'
import type { GateSubject, Judgement } from './judge.ts'
import type { SubmitOutcome } from './submission.ts'

export interface ReviewOptions {
  /** JSON text, as submitted. */
  report: Uint8Array
  compare?: boolean | undefined
  policy?: Policy | undefined
  /** Whether to request the run's record even if no rule needs it. */
  run: boolean
}

/** Data about an outcome besides the answer to its upload. */
export interface Review {
  /** Undefined if not requested, or for an API key of scope `upload`, which may not read it. */
  run: ReceivedRun | undefined
  /** Undefined if not requested, for the first run of a cluster, and while the upload is queued. */
  comparison: ReceivedComparison | undefined
  gate: Judgement | undefined
}

type ReviewContext = Pick<SubmitContext, 'client' | 'server' | 'now' | 'onProgress' | 'onWarning'>

/** With a policy there is always a judgement, and the record of the run. */
export interface JudgedReview extends Review {
  run: ReceivedRun
  gate: Judgement
}

/**
 * Requests each piece of data at most once; for a queued upload, uses only the report. A verdict on a stored run is
 * recorded. An error about a stored run says that it is stored.
 */
export async function review(
  context: ReviewContext,
  outcome: SubmitOutcome,
  options: ReviewOptions & { policy: Policy },
): Promise<JudgedReview>
export async function review(context: ReviewContext, outcome: SubmitOutcome, options: ReviewOptions): Promise<Review>
export async function review(context: ReviewContext, outcome: SubmitOutcome, options: ReviewOptions): Promise<Review> {
  if (!outcome.spooled) {
    const { run_id } = outcome.uploaded
    try {
      return await reviewStored(context, run_id, options)
    } catch (error) {
      if (error instanceof ReltError) {
        error.message = `The report is stored as ${run_id}, but its review failed. ${error.message}`
      }
      throw error
    }
  }
  const { run } = outcome.spooled
  const { report, policy } = options
  return { run, comparison: undefined, gate: policy && (await judge(context, policy, { unsent: run, report })) }
}

async function reviewStored(
  context: ReviewContext,
  run_id: string,
  { report, compare, policy, run: wantsRun }: ReviewOptions,
): Promise<Review> {
  if (policy) {
    const gate = await judge(context, policy, { run_id, report })
    const { recordVerdict } = await import('./record-verdict.ts')
    await recordVerdict(context, run_id, gate)
    const { run, comparison } = gate.evidence
    const failed_subjects = await (await import('./other-subjects.ts')).findFailedSubjects(context.client, run)
    if (failed_subjects.length > 0) gate.result.failed_subjects = failed_subjects
    return { run, comparison, gate }
  }
  const { client } = context
  return {
    comparison: compare ? await compareWithPrevious(client, run_id) : undefined,
    run: wantsRun ? await findStoredRun(client, run_id) : undefined,
    gate: undefined,
  }
}

async function judge(context: ReviewContext, policy: Policy, subject: GateSubject): Promise<Judgement> {
  return (await import('./judge.ts')).judge(context, policy, subject)
}
