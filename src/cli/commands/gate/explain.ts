import type { ReceivedRun } from '../../../contract/received/cluster-report.ts'
import { ReltError } from '../../../errors.ts'
import { drawSaid, paint } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { scannedAt } from '../../../reports/run-subject.ts'
import { type ExplainedPolicy, type ExplainedRule, explainVerdicts } from '../../../submit/explain-verdict.ts'
import { count, withMore } from '../../../util/words.ts'
import { isOpenRule, policyTone, ruleTone, verdictSigns } from '../../../views/gate.ts'
import { clusterPiece } from '../../../views/scan.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { showSteps } from '../../output/steps.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { type ClusterOptions, onlyClusterOptions } from '../reports/cluster.ts'
import { runForms } from '../reports/find-run.ts'
import { defaultRuns, findGateRuns } from './find-runs.ts'
import { type GateOptions, loadPolicyFile } from './options.ts'
import { causeLines, renderViolation } from './view.ts'

export default verb({
  name: 'explain',
  summary: 'Explain the recorded verdict of a run, rule by rule',
  examples: [
    'relt gate explain',
    'relt gate explain --cluster prod-eu',
    'relt gate explain crun_k3v7qd2m5x4aznle --json',
  ],
  args: [['[run]', `${runForms} (default: ${defaultRuns})`]],
  options: {
    ...onlyClusterOptions,
    '--policy <file>': 'YAML file whose exceptions count (default: relt.yaml, if it exists)',
  },
  run: async (cli, id, options) => {
    const explained = await explainRuns(cli, id, options)
    const [first, ...others] = explained
    await show(cli, {
      body: { ...toBody(first!), ...(others.length > 0 && { others: others.map(toBody) }) },
      text: (io) => explained.map((each) => renderExplained(io, each)).join('\n'),
    })
  },
})

export interface ExplainedRun {
  run: ReceivedRun
  policies: ExplainedPolicy[]
}

/** Runs with a recorded verdict. Throws `not_found` if there are none. */
export async function explainRuns(
  cli: Cli,
  id: string | undefined,
  options: ClusterOptions & Pick<GateOptions, 'policy'>,
): Promise<ExplainedRun[]> {
  const { context, io } = cli
  const client = await context.client()
  const file = await loadPolicyFile(options)
  const { onProgress } = showSteps(io)
  const explained: ExplainedRun[] = []
  for (const run_id of await findGateRuns(cli, id, options)) {
    const run = await client.call('getReport', { params: { run_id } })
    if (!run.gate) continue
    explained.push({ run, policies: await explainVerdicts({ client, now: context.now, onProgress }, run, file) })
  }
  if (explained.length > 0) return explained
  throw new ReltError('not_found', 'No gate has judged the run, or the server does not record verdicts.', {
    hint: "Judge it: relt gate check --fail-on 'new>=high'",
  })
}

const toBody = ({ run, policies }: ExplainedRun) => ({
  run_id: run.run_id,
  cluster_name: run.cluster_name,
  environment: run.environment,
  verdict: run.gate!.verdict,
  at: run.gate!.at,
  policies,
})

export function renderExplained(io: Io, { run, policies }: ExplainedRun): string {
  const { color } = io
  const title = `${drawSaid(io, clusterPiece(run))}  run ${plain(run.run_id)}, scanned ${scannedAt(run)?.slice(0, 16) ?? '-'}\n`
  return `${title}${policies.map((policy) => renderPolicy(io, policy)).join('')}${
    policies.length === 0 ? color.dim(`The gate ${run.gate!.verdict}; its rules are not listed.\n`) : ''
  }`
}

function renderPolicy(io: Io, policy: ExplainedPolicy): string {
  const { verdict, at, by, rules, causes } = policy
  const { color } = io
  const passed = rules.filter((rule) => rule.verdict === 'passed').length
  return [
    `${color.bold('Gate')} ${paint(io, policyTone(policy))(verdict)} ${color.dim(`by ${plain(policy.policy.name)}, recorded by ${plain(by)} at ${at}`)}\n`,
    ...rules.filter(isOpenRule).map((rule) => renderRule(io, rule)),
    ...causes.flatMap((cause) => causeLines(cause).map((text) => `  ${text}\n`)),
    passed > 0 ? color.dim(`${passed} of ${count(rules.length, 'rule')} passed\n`) : '',
  ].join('')
}

const mostEvidence = 5

function renderRule(io: Io, rule: ExplainedRule): string {
  const { color } = io
  const { evidence, evidence_total, passes_when: passes, now, exception, verdict } = rule
  const shown = evidence.slice(0, mostEvidence)
  const more = evidence_total - shown.length
  const lines = [
    `${paint(io, ruleTone(rule))(verdictSigns[verdict])} ${plain(rule.rule)}  ${plain(rule.reason)}`,
    ...shown.map((each) => renderViolation(io, each)),
    ...(more > 0 ? [color.dim(withMore('   ', more))] : []),
    ...(now !== null && now !== verdict ? [`    Judged again now: ${now}`] : []),
    ...(verdict !== 'passed' && passes ? [`    Passes with ${passes}`] : []),
    ...(exception ? [`    To accept the first: ${plain(exception)}`] : []),
  ]
  return `${lines.join('\n')}\n`
}
