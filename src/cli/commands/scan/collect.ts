import { type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { reportSources } from '../../../scan/report-source.ts'
import type { SubmitCollectedOptions } from '../../../submit/collect-and-submit.ts'
import { interruptible } from '../../../util/interrupt.ts'
import { findPipeline } from '../../input/pipeline.ts'
import { showSteps } from '../../output/steps.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { openSubmitContext } from '../../program/submit-context.ts'
import { addGateOptions, type GateOptions, loadPolicy, wantsGate } from '../gate/options.ts'
import { membersOf, printSubmitted, showOutcome } from '../reports/show-outcome.ts'
import { offlineOkOption } from '../reports/upload.ts'
import { duration } from './options.ts'

type Named = 'from' | 'cluster' | 'environment' | 'out' | 'offlineOk'

export interface ScanCollectOptions extends GateOptions, Pick<SubmitCollectedOptions, Named> {
  context?: string
  timeout?: number
  compare?: boolean
  gate?: boolean
}

export function createCommand(context: Context, run = runCollect): Command {
  const command = newCommand('collect', "Store an operator's reports from the cluster as a run", [
    'relt scan collect --from trivy-operator --cluster prod-eu',
    'relt scan collect --from policy-reports --cluster prod-eu --context admin@prod-eu --compare',
    'relt scan collect --from kubescape --cluster prod-eu --gate --fail-on "new>=high"',
  ])
    .addOption(new Option('--from <operator>', 'operator to read from').choices(reportSources).makeOptionMandatory())
    .requiredOption('-c, --cluster <name>', 'name of the cluster')
    .option('-e, --environment <name>', 'environment of the cluster (default: prod)')
    .option('--context <name>', 'context of kubectl (default: the current one)')
    .option('--timeout <time>', 'stop after this time, such as 90s, 10m or 2h (default: 10m)', duration)
    .option('--out <folder>', 'save the collected reports to this folder')
    .option('--compare', 'compare with the previous run')
    .option('--gate', 'check the gate; exit code 5 if it fails, 6 if undecided')
    .addOption(offlineOkOption())
  return addGateOptions(command).action((options, command) => run(cliOf(context, command), options))
}

export async function runCollect(cli: Cli, options: ScanCollectOptions): Promise<void> {
  const { context: kubeContext, timeout: timeoutMs, compare } = options
  const policy = wantsGate(options) ? await loadPolicy(options) : undefined
  const { collectAndSubmit } = await import('../../../submit/collect-and-submit.ts')
  const context = { ...(await openSubmitContext(cli)), onProgress: showSteps(cli.io).onProgress }
  const ci = findPipeline(cli.context.env)
  const { report, count, file, outcome } = await interruptible((signal) =>
    collectAndSubmit(context, { ...options, kubeContext, timeoutMs, ci, signal }),
  )
  if (outcome.uploaded && context.server) await (await import('../spool/flush.ts')).flushSpool(cli, context)
  printSubmitted(cli, outcome, `Collected ${count} reports and stored them`)
  const { review } = await import('../../../submit/review.ts')
  const reviewed = await review(context, outcome, { report, compare, policy, run: true })
  await showOutcome(cli, {
    outcome,
    review: reviewed,
    compare,
    members: {
      ...(outcome.uploaded && { run: reviewed.run ?? null }),
      reports: count,
      file,
      ...membersOf(reviewed, compare),
    },
  })
  if (reviewed.gate) (await import('../gate/verdict.ts')).requirePassed(reviewed.gate.result)
}
