import { judgeScanners } from '../../../submit/judge-scanners.ts'
import { show } from '../../output/output.ts'
import { warn } from '../../output/say.ts'
import { showSteps } from '../../output/steps.ts'
import { verb } from '../../program/verb.ts'
import { onlyClusterOptions } from '../reports/cluster.ts'
import { runForms } from '../reports/find-run.ts'
import { defaultRuns, findGateRuns } from './find-runs.ts'
import { gateOptions, loadPolicy } from './options.ts'
import { requirePassed } from './verdict.ts'
import { renderGate } from './view.ts'

const options = {
  ...onlyClusterOptions,
  ...gateOptions,
  '--no-record': 'do not record the verdict with the run, to try rules out',
} as const

export default verb({
  name: 'check',
  summary: 'Check a run; exit code 5 if it fails, 6 if undecided',
  examples: [
    'relt gate check --fail-on "new>=high" --fail-on "score<80"',
    'relt gate check --policy relt.yaml --cluster prod-eu',
    'relt gate check crun_k3v7qd2m5x4aznle --fail-on kubernetes-eol',
    'relt gate check --fail-on "score<90" --no-record',
  ],
  args: [['[run]', `${runForms} (default: ${defaultRuns})`]],
  options,
  run: async (cli, id, options) => {
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
  },
})
