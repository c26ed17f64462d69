import { findsVulnerabilities } from '../contract/choices.ts'
import type { GateRule } from '../contract/gate-rule.ts'
import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import { scannedAt } from '../views/scan.ts'

type Judged = Pick<
  ReceivedRun,
  'artifacts' | 'format' | 'kubernetes_version' | 'finished_at' | 'started_at' | 'ingested_at'
>

export const listsArtifacts = ({ artifacts }: Judged): boolean =>
  artifacts === null || artifacts.images + artifacts.helm_charts + artifacts.apps > 0

/** Rule kind → whether a scanner's report can contain what the rule is about. Other rules apply to all reports. */
const canDecide: Partial<Record<GateRule['kind'], (run: Judged) => boolean>> = {
  'major-behind': listsArtifacts,
  'security-behind': listsArtifacts,
  affected: listsArtifacts,
  fixable: listsArtifacts,
  exploited: (run) => listsArtifacts(run) || run.format === null || findsVulnerabilities(run.format),
  compromised: listsArtifacts,
  eol: listsArtifacts,
  skew: listsArtifacts,
  'kubernetes-eol': ({ kubernetes_version }) => kubernetes_version !== null,
  'upgrade-blockers': listsArtifacts,
  'no-new-risk-path': ({ format }) => format === 'kubebuddy',
  'aks-blockers': ({ format }) => format === 'kubebuddy',
}

/**
 * Assigns rules to the latest runs of one cluster's scanners. A rule about artifacts is judged by the runs that list them,
 * or by the newest run if none does; any other rule by every run.
 */
export function divideRules<R extends Judged>(rules: GateRule[], runs: R[]) {
  const newest = runs.reduce((a, b) => ((scannedAt(b) ?? '') > (scannedAt(a) ?? '') ? b : a))
  const divided = new Map<R, GateRule[]>()
  for (const rule of rules) {
    const able = runs.filter(canDecide[rule.kind] ?? (() => true))
    for (const run of able.length > 0 ? able : [newest]) divided.set(run, [...(divided.get(run) ?? []), rule])
  }
  return divided
}
