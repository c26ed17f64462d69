import type { Context } from '../../../context.ts'
import type { Judgement } from '../../../submit/judge.ts'
import type { SubmitOutcome } from '../../../submit/submission.ts'
import { describeQueued, everyPart, gatherReport } from './gather-report.ts'
import { writeReport } from './write-report.ts'

/** Writes the page of a report that was just submitted, whether stored or queued. */
export async function writeSubmitted(
  context: Context,
  file: string,
  { outcome, report, judgement }: { outcome: SubmitOutcome; report: Uint8Array; judgement: Judgement | undefined },
) {
  const gathered = outcome.spooled
    ? await describeQueued(context, { run: outcome.spooled.run, report, judgement })
    : await gatherReport(context, outcome.uploaded.run_id, everyPart, judgement)
  await writeReport(gathered, file, {})
}
