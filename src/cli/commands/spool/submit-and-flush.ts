import type { SubmitContext } from '../../../submit/context.ts'
import type { Submission, SubmitOutcome } from '../../../submit/submission.ts'
import { type SubmitOptions, submit } from '../../../submit/submit.ts'
import type { Cli } from '../../program/command.ts'

/** Submits a report and, if the server accepted it, sends queued uploads. */
export async function submitAndFlush(
  cli: Cli,
  context: SubmitContext,
  submission: Submission,
  options: SubmitOptions,
): Promise<SubmitOutcome> {
  const outcome = await submit(context, submission, options)
  if (outcome.uploaded && context.server) await (await import('./flush.ts')).flushSpool(cli, context)
  return outcome
}
