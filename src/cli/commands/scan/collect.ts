import { collectSources } from '../../../scan/report-source.ts'
import { interruptible } from '../../../util/interrupt.ts'
import { count } from '../../../util/words.ts'
import { findPipeline } from '../../input/pipeline.ts'
import { openSubmitContext } from '../../program/submit-context.ts'
import { verb } from '../../program/verb.ts'
import { gateOptions, loadPolicy, wantsGate } from '../gate/options.ts'
import { reviewAndShow } from '../reports/show-outcome.ts'
import { flushAfter, offlineOkOption } from '../reports/upload.ts'
import { clusterOptions, duration } from './options.ts'

export default verb({
  name: 'collect',
  summary: "Store an operator's reports, or what runs, as a run",
  examples: [
    'relt scan collect --from trivy-operator --cluster prod-eu',
    'relt scan collect --from policy-reports --context admin@prod-eu --compare',
    'relt scan collect --from inventory --cluster prod-eu',
    'relt scan collect --from kubescape --cluster prod-eu --gate --fail-on "new>=high"',
  ],
  options: {
    '--from <operator>': { help: 'operator to read from, or only what runs', choices: collectSources, required: true },
    '-c, --cluster <name>': 'name of the cluster (default: its context)',
    '-e, --environment <name>': 'environment of the cluster (default: prod)',
    ...clusterOptions,
    '--timeout <time>': { help: 'stop after this time, such as 90s, 10m or 2h (default: 10m)', parse: duration },
    '--out <folder>': 'save the collected reports to this folder',
    '--compare': 'compare with the previous run',
    '--gate': 'check the gate; exit code 5 if it fails, 6 if undecided',
    ...offlineOkOption,
    ...gateOptions,
  },
  run: async (cli, options) => {
    const { timeout: timeoutMs, compare } = options
    const policy = wantsGate(options) ? await loadPolicy(options, cli.context) : undefined
    const { collectAndSubmit } = await import('../../../submit/collect-and-submit.ts')
    const context = await openSubmitContext(cli)
    const ci = findPipeline(cli.context.env)
    const { report, outcome, file, ...collected } = await interruptible((signal) =>
      collectAndSubmit(context, { ...options, timeoutMs, ci, signal }),
    )
    await flushAfter(cli, outcome, context)
    const { from } = options
    const done = from === 'inventory' ? 'Stored what runs' : `Collected and stored ${count(collected.count, 'report')}`
    const facts = { reports: collected.count, file }
    await reviewAndShow(cli, context, { outcome, report, compare, policy, done, facts })
  },
})
