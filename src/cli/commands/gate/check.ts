import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { judgeScanners } from '../../../submit/judge-scanners.ts'
import { show } from '../../output/output.ts'
import { warn } from '../../output/say.ts'
import { showSteps } from '../../output/steps.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addOnlyClusterOptions, type ClusterOptions } from '../reports/cluster.ts'
import { runForms } from '../reports/find-run.ts'
import { defaultRuns, findGateRuns } from './find-runs.ts'
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
  return addGateOptions(addOnlyClusterOptions(command))
    .argument('[run]', `${runForms} (default: ${defaultRuns})`)
    .option('--no-record', 'do not record the verdict with the run, to try rules out')
    .action((runId, options, command) => run(cliOf(context, command), runId, options))
}

export async function runCheck(cli: Cli, id: string | undefined, options: CheckOptions): Promise<void> {
  const { context, io } = cli
  const policy = await loadPolicy(options)
  const client = await context.client()
  const runIds = await findGateRuns(cli, id, options)
  const { onProgress } = showSteps(io)
  const judgements = await judgeScanners({ client, now: context.now, onProgress }, policy, runIds)
  if (options.record !== false) {
    const { recordVerdict } = await import('../../../submit/record-verdict.ts')
    for (const judgement of judgements) {
      const { run_id } = judgement.evidence.run
      await recordVerdict({ client, onWarning: (text) => warn(io, text) }, run_id, judgement)
    }
  }
  const [worst, ...others] = judgements.map(({ result }) => result)
  await show(cli, {
    body: { ...worst, ...(others.length > 0 && { others }) },
    text: () => [worst!, ...others].map((result) => renderGate(io, result)).join('\n'),
  })
  requirePassed(worst!, ...others)
}
