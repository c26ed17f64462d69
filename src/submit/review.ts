import type { Client } from '../client/client.ts'
import type { Comparison, Run } from '../contract/received/cluster-report.ts'
import { ReltError } from '../errors.ts'
import type { Policy } from '../gate/policy.ts'
import type { SubmitContext } from './context.ts'
import { compareWithPrevious, type Judgement, judge } from './judge.ts'
import type { SubmitOutcome } from './submission.ts'

export interface ReviewOptions {
  /** JSON text, as submitted. */
  report: Uint8Array
  compare?: boolean | undefined
  policy?: Policy | undefined
  /** Whether the run's record is wanted where no rule needs it. */
  run: boolean
}

/** What is to be said of an outcome beside the answer to its upload. */
export interface Review {
  /** Undefined when it was not wanted, or for an API key of scope `upload`, which may not read it. */
  run: Run | undefined
  /** Undefined when it was not wanted, at the first run of a cluster, and while the upload waits. */
  comparison: Comparison | undefined
  gate: Judgement | undefined
}

/** Asks the server for each thing at most once; of an upload that waits, the report alone answers. */
export async function review(
  context: Pick<SubmitContext, 'client' | 'now' | 'onProgress'>,
  outcome: SubmitOutcome,
  { report, compare, policy, run: wantsRun }: ReviewOptions,
): Promise<Review> {
  const { client } = context
  if (outcome.spooled) {
    const { run } = outcome.spooled
    return { run, comparison: undefined, gate: policy && (await judge(context, policy, { unsent: run, report })) }
  }
  const { run_id } = outcome.uploaded
  if (policy) {
    const gate = await judge(context, policy, { run_id, report })
    const { run, comparison } = gate.evidence
    return { run, comparison, gate }
  }
  return {
    comparison: compare ? await compareWithPrevious(client, run_id) : undefined,
    run: wantsRun ? await findStoredRun(client, run_id) : undefined,
    gate: undefined,
  }
}

async function findStoredRun(client: Client, run_id: string): Promise<Run | undefined> {
  try {
    return await client.call('getReport', { params: { run_id } })
  } catch (error) {
    if (error instanceof ReltError && error.code === 'forbidden') return undefined
    throw error
  }
}
