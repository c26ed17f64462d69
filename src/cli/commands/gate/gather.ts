import type { Client } from '../../../client/client.ts'
import type { Run } from '../../../contract/received/cluster-report.ts'
import { evaluateGate, type GateEvidence, type GateResult } from '../../../gate/evaluate.ts'
import type { Policy } from '../../../gate/policy.ts'
import { type ListedFinding, listFindings } from '../../../reports/list-findings.ts'
import { compareWithPrevious } from '../reports/previous.ts'

export async function judgeRun(
  client: Client,
  policy: Policy,
  run: { run_id: string; now: number; report?: Uint8Array },
): Promise<{ evidence: GateEvidence; result: GateResult }> {
  const evidence = await gatherEvidence(client, policy, run.run_id, run.report)
  return { evidence, result: evaluateGate(policy, evidence, run.now) }
}

/** Of a run that waits for its server, by what its report tells alone. */
export async function judgeUnsent(
  policy: Policy,
  { run, now, report }: { run: Run; now: number; report: Uint8Array },
): Promise<{ evidence: GateEvidence; result: GateResult }> {
  const needsFindings = policy.rules.some(({ kind }) => kind === 'findings')
  const findings = needsFindings ? await listFindings(report, run.format ?? 'auto') : undefined
  const evidence = { run, findings, isUnsent: true }
  return { evidence, result: evaluateGate(policy, evidence, now) }
}

/** Of a run, what it changed and what else the rules of the policy need. `report` spares fetching it. */
async function gatherEvidence(
  client: Client,
  policy: Policy,
  run_id: string,
  report?: Uint8Array,
): Promise<GateEvidence> {
  const needs = (...kinds: string[]) => policy.rules.some(({ kind }) => kinds.includes(kind))
  const run = await client.call('getReport', { params: { run_id } })
  return {
    run,
    comparison: await compareWithPrevious(client, run_id),
    freshness: needs('major-behind', 'security-behind', 'eol', 'kubernetes-eol')
      ? await client.call('reportFreshness', { params: { run_id } })
      : undefined,
    findings: needs('findings') ? await findingsOf(client, run, report) : undefined,
  }
}

async function findingsOf(
  client: Client,
  { run_id, format }: Run,
  known: Uint8Array | undefined,
): Promise<ListedFinding[] | undefined> {
  if (known) return listFindings(known, format ?? 'auto')
  const { report } = await client.call('getReport', { params: { run_id }, query: { include_report: true } })
  return report == null ? undefined : listFindings(Buffer.from(JSON.stringify(report)), format ?? 'auto')
}
