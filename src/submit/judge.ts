import type { Client } from '../client/client.ts'
import type { FindingsOfRun } from '../contract/finding.ts'
import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import type { UpgradePlan } from '../contract/upgrade.ts'
import { insteadOf } from '../errors.ts'
import { evaluateGate, type GateEvidence } from '../gate/evaluate.ts'
import type { Policy } from '../gate/policy.ts'
import { type Evidence, rowOf } from '../gate/rules.ts'
import { type ListedFinding, listFindings } from '../reports/list-findings.ts'
import { formatTimestamp } from '../util/time.ts'
import { type SaidGate, sayGate } from '../views/gate-words.ts'
import { during, type SubmitContext } from './context.ts'
import { compareWithPrevious, listStoredFindings } from './follow-up.ts'
import { gatherChanges } from './gather-changes.ts'
import { withStoredExceptions } from './stored-exceptions.ts'

/** A stored run, or one that is queued and unknown to the server. */
export type GateSubject =
  | {
      run_id: string
      /** JSON text; saves a download. */
      report?: Uint8Array
      /** Saves a request, too. */
      run?: ReceivedRun
      unsent?: undefined
    }
  | { unsent: ReceivedRun; report: Uint8Array }

export interface Judgement {
  /** Includes exceptions stored on the server. */
  policy: Policy
  evidence: GateEvidence
  result: SaidGate
}

/** Collects the data for the policy's rules, once, and evaluates them. */
export async function judge(
  context: Pick<SubmitContext, 'client' | 'now' | 'onProgress'>,
  policy: Policy,
  subject: GateSubject,
): Promise<Judgement> {
  return during(context, { name: 'judge' }, async () => {
    const whole = await withStoredExceptions(subject.unsent ? undefined : context.client, policy)
    const evidence = await (subject.unsent
      ? gatherUnsent(policy, subject.unsent, subject.report)
      : gather(context, policy, subject))
    const now = context.now()
    const judged = evaluateGate(whole, evidence, now)
    return { policy: whole, evidence, result: sayGate(judged, evidence.run, formatTimestamp(now).slice(0, 10)) }
  })
}

const needs = ({ rules }: Policy, evidence: Evidence) => rules.some((rule) => rowOf(rule).needs.includes(evidence))

async function gather(
  { client, now }: Pick<SubmitContext, 'client' | 'now'>,
  policy: Policy,
  { run_id, report, run: known }: GateSubject & { unsent?: undefined },
): Promise<GateEvidence> {
  const run = known ?? (await client.call('getReport', { params: { run_id } }))
  const changes = needs(policy, 'changes') ? await gatherChanges(client, policy, run, now()) : undefined
  const [first] = changes?.values() ?? []
  return {
    run,
    ...(changes && { changes }),
    comparison: first?.comparison ?? (await compareWithPrevious(client, run_id)),
    freshness: needs(policy, 'freshness') ? await client.call('reportFreshness', { params: { run_id } }) : undefined,
    findings: needs(policy, 'findings')
      ? await markExploited(await (report ? listFindings(report, run.format) : listStoredFindings(client, run)), {
          client,
          policy,
          run_id,
        })
      : undefined,
    plans: await plansFor(client, policy, run_id),
  }
}

/**
 * Upgrade plans of the run's cluster, one for each rule that needs it. If the server does not support plans, the rule is
 * undecided.
 */
async function plansFor(client: Client, { rules }: Policy, run_id: string): Promise<GateEvidence['plans']> {
  const plans = new Map<string, UpgradePlan>()
  for (const rule of rules) {
    if (rule.kind !== 'upgrade-blockers') continue
    const asked = client.call('getUpgradePlan', { query: { run_id, ...(rule.to && { to: rule.to }) } })
    const plan = await asked.catch(insteadOf('not_found', undefined))
    if (plan) plans.set(rule.text, plan)
  }
  return plans
}

async function gatherUnsent(policy: Policy, run: ReceivedRun, report: Uint8Array): Promise<GateEvidence> {
  const listed = needs(policy, 'findings') ? await listFindings(report, run.format) : undefined
  const findings = await markExploited(listed, { policy })
  return { run, findings, isUnsent: true }
}

/** Uses the server's list of exploited vulnerabilities, and the bundled one. */
async function markExploited(
  findings: ListedFinding[] | undefined,
  { client, policy, run_id }: { client?: Client; policy: Policy; run_id?: string },
): Promise<ListedFinding[] | undefined> {
  const isAsked = policy.rules.some(({ kind }) => kind === 'exploited')
  if (!isAsked || !findings?.some(({ check_id }) => check_id.startsWith('CVE-'))) return findings
  const { bundledExploited } = await import('../catalog/state-facts.ts')
  const exploited = new Map(bundledExploited().exploited)
  if (client && run_id !== undefined) {
    for (const { check_id, exploited: found } of await checksFor(client, run_id))
      if (found) exploited.set(check_id, found)
  }
  return findings.map((finding) => {
    const found = exploited.get(finding.check_id)
    return found ? { ...finding, exploited: found } : finding
  })
}

/** Empty for a server that does not list them, or denies the request. */
async function checksFor(client: Client, run_id: string): Promise<FindingsOfRun['checks']> {
  const found = client.call('listRunFindings', { params: { run_id }, query: { limit: 1 } })
  return (await found.catch(insteadOf(['not_found', 'forbidden'], { checks: [] }))).checks
}
