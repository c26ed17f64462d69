import type { PolicyVerdict } from '../contract/gate-verdict.ts'
import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import { completePolicy } from '../gate/complete-policy.ts'
import type { Policy } from '../gate/policy.ts'
import { parseRule, passesWhen } from '../gate/rules.ts'
import type { SaidGate, SaidViolation } from '../views/gate-words.ts'
import type { SubmitContext } from './context.ts'
import { judge } from './judge.ts'

export interface ExplainedRule {
  rule: string
  verdict: PolicyVerdict['verdict']
  reason: string
  excepted: number
  allowed_unknown?: boolean | undefined
  /** When it would pass; null for a rule of another version. */
  passes_when: string | null
  /** The verdict by current facts and exceptions; null if it passed, or cannot be judged again. */
  now: PolicyVerdict['verdict'] | null
  /** Current violations, worst first. */
  evidence: SaidViolation[]
  evidence_total: number
  /** A command that would accept the first of them. */
  exception: string | null
}

export interface ExplainedPolicy extends Omit<PolicyVerdict, 'rules'> {
  rules: ExplainedRule[]
  /** What leaves rules undecided now: what cures that, and the line of the policy that would decide it. */
  causes: SaidGate['causes']
}

/**
 * The recorded verdicts of a run, rule by rule. Rules that did not pass are judged again, because records have no evidence.
 */
export async function explainVerdicts(
  context: Pick<SubmitContext, 'client' | 'now' | 'onProgress'>,
  run: ReceivedRun,
  file: Policy | undefined,
): Promise<ExplainedPolicy[]> {
  const policies = run.gate?.policies ?? []
  const open = policies.flatMap(({ rules }) => rules).filter(({ verdict }) => verdict !== 'passed')
  const failOn = [...new Set(open.map(({ rule }) => rule))].filter((rule) => parseRule(rule))
  const policy = failOn.length > 0 ? completePolicy(file && { ...file, rules: [] }, { failOn }) : undefined
  const result = policy && (await judge(context, policy, { run_id: run.run_id, run })).result
  return policies.map((policy) => ({
    ...policy,
    causes: (result?.causes ?? []).filter(({ rules }) => policy.rules.some(({ rule }) => rules.includes(rule))),
    rules: policy.rules.map((rule) => explainRule(rule, rule.verdict === 'passed' ? undefined : result, run)),
  }))
}

function explainRule(
  recorded: PolicyVerdict['rules'][number],
  result: SaidGate | undefined,
  run: ReceivedRun,
): ExplainedRule {
  const again = result?.rules.find(({ rule }) => rule === recorded.rule)
  const evidence = again?.verdict === 'failed' ? again.evidence : []
  return {
    ...recorded,
    passes_when: passesWhen(recorded.rule) ?? null,
    now: again?.verdict ?? null,
    evidence,
    evidence_total: again?.verdict === 'failed' ? again.evidence_total : 0,
    exception: evidence.map((each) => exceptionFor(each, run)).find(Boolean) ?? null,
  }
}

/** Only for texts that every shell reads as a single word. */
function exceptionFor(
  { kind, id, fingerprint }: SaidViolation,
  { cluster_name, environment }: ReceivedRun,
): string | undefined {
  if (![cluster_name, environment].every((name) => /^[\w.:-]+$/.test(name ?? ''))) return undefined
  const rest = `--cluster ${cluster_name} --environment ${environment} --until 2w --reason "WHY"`
  if (kind === 'finding' && fingerprint) return `relt exceptions add ${fingerprint.slice(0, 12)} ${rest}`
  if (kind !== 'artifact' || !/^[\w.:/@-]+$/.test(id)) return undefined
  return `relt exceptions add --artifact ${id} ${rest}`
}
