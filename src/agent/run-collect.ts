import type { CollectSource } from '../scan/report-source.ts'
import type { OccurrenceEnd } from '../store/fleet/agent-occurrence.ts'
import { collectAndSubmit } from '../submit/collect-and-submit.ts'
import { endOfScan, type PerformContext, prepare, reportOptions } from './perform.ts'
import type { ScheduledWork } from './sources/source.ts'

/** Collects the reports of an operator for a job and submits them. */
export async function runCollect(context: PerformContext, work: ScheduledWork<CollectSource>): Promise<OccurrenceEnd> {
  const { job, from } = work
  const { submitContext, policy } = await prepare(context, job)
  const options = { ...reportOptions(context, work), from }
  const { report, outcome } = await collectAndSubmit(submitContext, options)
  return endOfScan(submitContext, { outcome, report, policy })
}
