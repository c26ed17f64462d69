import { clusterAttention } from '../../contract/choices.ts'
import type { ClusterScanner, FleetSummary } from '../../contract/cluster.ts'
import type { ReceivedCluster } from '../../contract/received/cluster.ts'
import type { ReceivedClusterTrend } from '../../contract/received/cluster-report.ts'
import type { FleetUpgrade, PlannedCluster } from '../../contract/upgrade-fleet.ts'
import { type Redaction, Redactor } from '../../views/redaction.ts'
import type { FleetReport } from './fleet.ts'
import { changePart } from './redact.ts'
import { type Fields, redactFields } from './redact-fields.ts'
import { pointFields } from './redaction-table.ts'

/**
 * The report with a numbered word for each cluster, environment and label, consistent in the whole report. Which words are
 * namespaces is unknown, so hiding namespaces also hides names.
 */
export function redactFleet(report: FleetReport, kinds: readonly Redaction[]): FleetReport {
  if (kinds.length === 0) return report
  const redactor = new Redactor(kinds.includes('namespaces') ? [...kinds, 'names'] : kinds)
  const { fleet, label, trends, upgrade, madeAt, version } = report
  return {
    ...{ madeAt, version, redacted: redactor.kinds, server: null },
    label: label === null ? null : formatWord('label')(label, redactor),
    fleet: {
      total: fleet.total,
      items: fleet.items.map((item) => redactFields(item, clusterFields, redactor)),
      summary: fleet.summary && redactFields(fleet.summary, summaryFields, redactor),
    },
    trends: changePart(trends, ({ days, clusters }) => {
      return { days, clusters: clusters.map((each) => redactFields(each, trendOfClusterFields, redactor)) }
    }),
    upgrade: changePart(upgrade, (found) => redactFields(found, upgradeFields, redactor)),
  }
}

const formatWord =
  (kind: 'cluster' | 'environment' | 'label') =>
  (text: string, redactor: Redactor): string =>
    redactor.hides(kind === 'label' ? 'cluster' : kind) ? redactor.word(kind, text) : text

const place = { cluster_name: formatWord('cluster'), environment: formatWord('environment') }

const known: readonly string[] = clusterAttention

/** A later server may return reasons that this version does not know. */
const reasonsFor = <T extends string>(reasons: readonly T[]): T[] => reasons.filter((reason) => known.includes(reason))
const toCounts = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([reason]) => known.includes(reason)))

const changesFields: Fields<NonNullable<ClusterScanner['changes']>> = {
  ...{ accepted_findings: 'safe', new_findings: 'safe', new_critical: 'safe', new_high: 'safe' },
  ...{ regressed_findings: 'safe', regressed_critical: 'safe', regressed_high: 'safe', resolved_findings: 'safe' },
}

const scannerFields = {
  last_scan: 'safe',
  overdue: 'safe',
  scores: 'safe',
  latest_run: {
    run_id: 'never',
    format: 'safe',
    score: 'safe',
    score_delta: 'safe',
    score_comparable: 'safe',
    total_checks: 'safe',
    failed_checks: 'safe',
    not_run_checks: 'safe',
    scope_gaps: 'safe',
    is_empty: 'safe',
    findings: {
      total: 'safe',
      critical: 'safe',
      high: 'safe',
      medium: 'safe',
      low: 'safe',
      info: 'safe',
      unknown: 'safe',
    },
  },
  changes: changesFields,
  gate: { verdict: 'safe', at: 'safe' },
} as const

const scannerOfClusterFields: Fields<ClusterScanner> = { format: 'safe', ...scannerFields, attention: reasonsFor }

const clusterFields: Fields<ReceivedCluster> = {
  ...place,
  ...{ cluster_id: 'never', labels: 'never', provider: 'never', region: 'never', kubernetes_version: 'version' },
  expected_every: 'safe',
  expected_reports: { every: 'safe', set_by: 'safe' },
  ...scannerFields,
  scanners: scannerOfClusterFields,
  freshness: {
    ...{ run_id: 'never', artifacts: 'safe', known: 'safe', minor_behind: 'safe', major_behind: 'safe' },
    ...{ affected: 'safe', affected_critical: 'safe', affected_high: 'safe', compromised: 'safe', exploited: 'safe' },
    ...{ retired: 'safe', ended: 'safe', ending: 'safe', is_current: 'safe', catalog_date: 'safe' },
  },
  has_figures: 'safe',
  attention: reasonsFor,
  attention_now: reasonsFor,
}

const summaryFields: Fields<FleetSummary> = {
  ...{ clusters: 'safe', attention: toCounts, needs_attention: 'safe', pending: 'safe' },
  now: { clusters: 'safe', known: 'safe', attention: toCounts },
  never_reported: { ...place, expected_every: 'safe', expected_since: 'safe' },
}

const trendOfClusterFields: Fields<ReceivedClusterTrend> = {
  ...place,
  format: 'safe',
  points: pointFields,
  checks: 'never',
}

const plannedFields: Fields<PlannedCluster> = {
  ...place,
  ...{ run_id: 'never', verdict: 'safe', kubernetes: 'version', from: 'version', to: 'version', steps: 'safe' },
  // Reasons contain names of artifacts.
  ...{ reasons: 'never', total: 'safe' },
}

const upgradeFields: Fields<FleetUpgrade> = {
  ...{ success: 'safe', catalog_date: 'safe', clusters: plannedFields, steps: 'never', not_planned: place },
  summary: { clusters: 'safe', ready: 'safe', warnings: 'safe', blocked: 'safe', undetermined: 'safe' },
}
