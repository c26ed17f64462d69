import { ReltError } from '../../../errors.ts'
import { reportSources } from '../../../scan/report-source.ts'
import { interruptible } from '../../../util/interrupt.ts'
import { count } from '../../../util/words.ts'
import { findPipeline } from '../../input/pipeline.ts'
import { showSteps } from '../../output/steps.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { openSubmitContext } from '../../program/submit-context.ts'
import { verb } from '../../program/verb.ts'
import { gateOptions, loadPolicy, wantsGate } from '../gate/options.ts'
import { membersFor, printSubmitted, showOutcome } from '../reports/show-outcome.ts'
import { flushAfter, offlineOkOption } from '../reports/upload.ts'
import { duration } from './options.ts'

const options = {
  '--from <operator>': { help: 'operator to read from', choices: reportSources, required: true },
  '-c, --cluster <name>': 'name of the cluster (default: the context given with --context)',
  '-e, --environment <name>': 'environment of the cluster (default: prod)',
  '--context <name>': 'context of kubectl (default: the current one)',
  '--deprecated-apis': "ask the API server's metrics which deprecated APIs are requested; needs a role of its own",
  '--timeout <time>': { help: 'stop after this time, such as 90s, 10m or 2h (default: 10m)', parse: duration },
  '--out <folder>': 'save the collected reports to this folder',
  '--compare': 'compare with the previous run',
  '--gate': 'check the gate; exit code 5 if it fails, 6 if undecided',
  ...offlineOkOption,
  ...gateOptions,
} as const

type ScanCollectOptions = OptionsOf<typeof options>

export default verb({
  name: 'collect',
  summary: "Store an operator's reports from the cluster as a run",
  examples: [
    'relt scan collect --from trivy-operator --cluster prod-eu',
    'relt scan collect --from policy-reports --context admin@prod-eu --compare',
    'relt scan collect --from kubescape --cluster prod-eu --gate --fail-on "new>=high"',
  ],
  options,
  run: runCollect,
})

async function runCollect(cli: Cli, options: ScanCollectOptions): Promise<void> {
  const { timeout: timeoutMs, compare } = options
  if (!options.cluster && !options.context) {
    throw new ReltError('usage', 'The reports do not name their cluster.', {
      hint: 'Add --cluster NAME, or choose a cluster with --context NAME.',
    })
  }
  const policy = wantsGate(options) ? await loadPolicy(options, cli.context) : undefined
  const { collectAndSubmit } = await import('../../../submit/collect-and-submit.ts')
  const context = { ...(await openSubmitContext(cli)), onProgress: showSteps(cli.io).onProgress }
  const ci = findPipeline(cli.context.env)
  const {
    report,
    count: reports,
    file,
    outcome,
  } = await interruptible((signal) => collectAndSubmit(context, { ...options, timeoutMs, ci, signal }))
  await flushAfter(cli, outcome, context)
  printSubmitted(cli, outcome, `Collected and stored ${count(reports, 'report')}`)
  const { review } = await import('../../../submit/review.ts')
  const reviewed = await review(context, outcome, { report, compare, policy, run: true })
  await showOutcome(cli, {
    outcome,
    review: reviewed,
    compare,
    members: {
      ...(outcome.uploaded && { run: reviewed.run ?? null }),
      reports,
      file,
      ...membersFor(reviewed, compare),
    },
  })
  if (reviewed.gate) (await import('../gate/verdict.ts')).requirePassed(reviewed.gate.result)
}
