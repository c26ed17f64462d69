import type { Occurrence, OccurrenceEnd } from '../store/fleet/agent-occurrence.ts'
import { collectAndSubmit } from '../submit/collect-and-submit.ts'
import { endOfScan, keyOf, type PerformContext, prepare } from './perform.ts'
import type { ScheduledJob } from './read-config.ts'

/** Collects the reports of an operator for a job and submits them. */
export async function runCollect(
  context: PerformContext,
  job: ScheduledJob,
  occurrence: Occurrence,
  signal: AbortSignal,
): Promise<OccurrenceEnd> {
  const { submitContext, policy } = await prepare(context, job)
  const { report, outcome } = await collectAndSubmit(submitContext, {
    from: job.collect!,
    kubeContext: job.context,
    envelope: { environment: job.environment, cluster: { name: job.cluster! } },
    timeoutMs: job.timeout * 1000,
    signal,
    keepIn: job.keep_reports,
    offlineOk: true,
    idempotencyKey: keyOf(context.machine, job, occurrence),
  })
  return endOfScan(submitContext, { outcome, report, policy })
}
