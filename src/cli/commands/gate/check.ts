import { ReltError } from '../../../errors.ts'
import { worstFirst } from '../../../gate/rule-verdict.ts'
import { show } from '../../output/output.ts'
import { warn } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { type ClusterOptions, onlyClusterOptions } from '../reports/cluster.ts'
import { runForms } from '../reports/find-run.ts'
import { defaultRuns, judgeRuns } from './find-runs.ts'
import { type GateOptions, gateOptions, loadPolicyIfAny } from './options.ts'
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
  epilog: 'Without rules and a policy, it shows the recorded verdict.',
  examples: [
    'relt gate check --fail-on "new>=high" --fail-on "score-drop>5"',
    'relt gate check --policy relt.yaml --cluster prod-eu',
    'relt gate check crun_k3v7qd2m5x4aznle --fail-on kubernetes-eol',
    'relt gate check --fail-on "score<90" --no-record',
  ],
  args: [['[run]', `${runForms} (default: ${defaultRuns})`]],
  options,
  run: async (cli, id, options) => {
    const { context, io } = cli
    const policy = await loadPolicyIfAny(options, context)
    if (!policy) return showRecorded(cli, id, options)
    const judgements = await judgeRuns(cli, id, { ...options, policy })
    if (options.record !== false) {
      const client = await context.client()
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

/**
 * Shows a recorded verdict, with its exit code. Throws `gate_undecided` if there is none: a run that was never judged did
 * not pass.
 */
async function showRecorded(cli: Cli, id: string | undefined, options: GateOptions & ClusterOptions) {
  const { explainRuns, renderExplained } = await import('./explain.ts')
  const explained = await explainRuns(cli, id, options).catch((error: unknown) => {
    if (!(error instanceof ReltError && error.code === 'not_found')) throw error
    throw new ReltError('gate_undecided', 'The gate has no rules, and no verdict is recorded.', {
      hint: "Add a rule, such as --fail-on 'new>=high', or set gate.fail_on in relt.yaml.",
    })
  })
  const gates = explained.map(({ run }) => run.gate!)
  const [worst] = gates.map(({ verdict }) => verdict).sort(worstFirst)
  await show(cli, {
    body: { verdict: worst, recorded: gates },
    text: (io) => explained.map((each) => renderExplained(io, each)).join('\n'),
  })
  if (worst === 'failed') throw new ReltError('gate_failed', 'The gate failed, as it is recorded.')
  if (worst === 'undecided') throw new ReltError('gate_undecided', 'The gate is undecided, as it is recorded.')
}
