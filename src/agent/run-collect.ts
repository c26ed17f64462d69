import type { ReportSource } from '../scan/report-source.ts'
import type { OccurrenceEnd } from '../store/fleet/agent-occurrence.ts'
import { collectAndSubmit } from '../submit/collect-and-submit.ts'
import { endOfScan, keyOf, type PerformContext, prepare } from './perform.ts'
import type { ScheduledWork } from './sources/source.ts'

/** Collects the reports of an operator for a job and submits them. */
export async function runCollect(
  context: PerformContext,
  { job, from, occurrence, signal }: ScheduledWork<ReportSource>,
): Promise<OccurrenceEnd> {
  const { submitContext, policy } = await prepare(context, job)
  const { report, outcome } = await collectAndSubmit(submitContext, {
    from,
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
