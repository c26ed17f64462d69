import { divideRules } from '../gate/divide-rules.ts'
import type { Policy } from '../gate/policy.ts'
import { worstFirst } from '../gate/rule-verdict.ts'
import type { SubmitContext } from './context.ts'
import { type Judgement, judge } from './judge.ts'

/** Judges the runs of one cluster's scanners, each by the rules that apply to it; worst verdict first. */
export async function judgeScanners(
  context: Pick<SubmitContext, 'client' | 'now' | 'onProgress'>,
  policy: Policy,
  runIds: [string, ...string[]],
): Promise<[Judgement, ...Judgement[]]> {
  const [only, ...others] = runIds
  if (others.length === 0) return [await judge(context, policy, { run_id: only })]
  const { client } = context
  const runs = await Promise.all(runIds.map((run_id) => client.call('getReport', { params: { run_id } })))
  const judgements = await Array.fromAsync(divideRules(policy.rules, runs), async ([run, rules]) => {
    const judgement = await judge(context, { ...policy, rules }, { run_id: run.run_id, run })
    // A verdict is recorded under the whole policy.
    return { ...judgement, policy: { ...judgement.policy, rules: policy.rules } }
  })
  const [worst, ...rest] = judgements.sort((a, b) => worstFirst(a.result.verdict, b.result.verdict))
  return [worst!, ...rest]
}
