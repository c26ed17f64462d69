import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { judge } from '../../../submit/judge.ts'
import { show } from '../../output/output.ts'
import { warn } from '../../output/say.ts'
import { showSteps } from '../../output/steps.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addClusterOptions, type ClusterOptions } from '../reports/cluster.ts'
import { findRunId, runForms } from '../reports/find-run.ts'
import { addGateOptions, type GateOptions, loadPolicy } from './options.ts'
import { requirePassed } from './verdict.ts'
import { renderGate } from './view.ts'

export type CheckOptions = GateOptions & ClusterOptions & { record?: boolean }

export function createCommand(context: Context, run = runCheck): Command {
  const command = newCommand('check', 'Check a run; exit code 5 if it fails, 6 if undecided', [
    'relt gate check --fail-on "new>=high" --fail-on "score<80"',
    'relt gate check --policy relt.yaml --cluster prod-eu',
    'relt gate check crun_k3v7qd2m5x4aznle --fail-on kubernetes-eol',
    'relt gate check --fail-on "score<90" --no-record',
  ])
  return addGateOptions(addClusterOptions(command))
    .argument('[run]', `${runForms} (default: the latest run)`)
    .option('--no-record', 'do not record the verdict with the run, to try rules out')
    .action((runId, options, command) => run(cliOf(context, command), runId, options))
}

export async function runCheck(cli: Cli, id: string | undefined, options: CheckOptions): Promise<void> {
  const { context, io } = cli
  const policy = await loadPolicy(options)
  const client = await context.client()
  const run_id = await findRunId(cli, id, options)
  const { onProgress } = showSteps(io)
  const judgement = await judge({ client, now: context.now, onProgress }, policy, { run_id })
  const { result } = judgement
  if (options.record !== false) {
    const { recordVerdict } = await import('../../../submit/record-verdict.ts')
    await recordVerdict({ client, onWarning: (text) => warn(io, text) }, run_id, judgement)
  }
  await show(cli, { body: result, text: () => renderGate(io, result) })
  requirePassed(result)
}
