import { clusterAttention, findingSeverities } from '../../contract/choices.ts'
import type { ClusterScanner, FleetSummary } from '../../contract/cluster.ts'
import type { ReceivedCluster } from '../../contract/received/cluster.ts'
import type { FleetUpgrade, PlannedCluster } from '../../contract/upgrade-fleet.ts'
import { type Redaction, Redactor } from '../../views/redaction.ts'
import type { FleetReport } from './fleet.ts'
import { changePart } from './redact.ts'
import { type Fields, never, redactFields, safe } from './redact-fields.ts'
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
    madeAt,
    version,
    redacted: redactor.kinds,
    server: null,
    label: label === null ? null : formatWord('label')(label, redactor),
    fleet: {
      total: fleet.total,
      items: fleet.items.map((item) => redactFields(item, clusterFields, redactor)),
      summary: fleet.summary && redactFields(fleet.summary, summaryFields, redactor),
    },
    trends: changePart(trends, (found) => redactFields(found, trendsFields, redactor)),
    upgrade: changePart(upgrade, (found) => redactFields(found, upgradeFields, redactor)),
  }
}

const formatWord = (kind: 'cluster' | 'environment' | 'label') => (text: string, redactor: Redactor) =>
  redactor.hides(kind === 'label' ? 'cluster' : kind) ? redactor.word(kind, text) : text

const place = { cluster_name: formatWord('cluster'), environment: formatWord('environment') }

const known: readonly string[] = clusterAttention

/** A later server may return reasons that this version does not know. */
const reasonsFor = <T extends string>(reasons: readonly T[]) => reasons.filter((reason) => known.includes(reason))
const toCounts = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([reason]) => known.includes(reason)))

const changesFields: Fields<NonNullable<ClusterScanner['changes']>> = {
  ...safe('accepted_findings', 'new_findings', 'new_critical', 'new_high', 'resolved_findings'),
  ...safe('regressed_findings', 'regressed_critical', 'regressed_high'),
}

const scannerFields = {
  ...safe('last_scan', 'overdue', 'scores'),
  latest_run: {
    run_id: 'never',
    findings: safe('total', ...findingSeverities),
    ...safe('format', 'score', 'score_delta', 'total_checks', 'failed_checks'),
    ...safe('not_run_checks', 'known_faults', 'scope_gaps', 'is_empty'),
  },
  changes: changesFields,
  gate: safe('verdict', 'at'),
} as const

const scannerOfClusterFields: Fields<ClusterScanner> = {
  format: 'safe',
  subject: 'never',
  ...scannerFields,
  attention: reasonsFor,
}

const standingFields = safe('clusters', 'oldest_critical', 'critical', 'affected_critical', 'ended')
const newsFields = {
  ...safe('since', 'time_zone', 'findings', 'critical'),
  grown: safe('findings', 'from', 'from_of', 'to', 'to_of'),
}

const clusterFields: Fields<ReceivedCluster> = {
  ...place,
  ...never('cluster_id', 'labels', 'provider', 'region'),
  ...safe('expected_every', 'has_figures'),
  kubernetes_version: 'version',
  expected_reports: safe('every', 'set_by'),
  ...scannerFields,
  scanners: scannerOfClusterFields,
  freshness: {
    run_id: 'never',
    ...safe('artifacts', 'known', 'minor_behind', 'major_behind', 'affected', 'affected_critical', 'affected_high'),
    ...safe('compromised', 'exploited', 'retired', 'ended', 'ending', 'is_current', 'catalog_date'),
  },
  attention: reasonsFor,
  attention_now: reasonsFor,
  news: newsFields,
  standing: standingFields,
}

const summaryFields: Fields<FleetSummary> = {
  ...safe('clusters', 'needs_attention', 'pending'),
  attention: toCounts,
  now: { ...safe('clusters', 'known'), attention: toCounts },
  news: newsFields,
  standing: standingFields,
  never_reported: { ...place, ...safe('expected_every', 'expected_since') },
}

const trendsFields: Fields<NonNullable<FleetReport['trends']['found']>> = {
  days: 'safe',
  clusters: { ...place, format: 'safe', subject: 'never', points: pointFields, checks: 'never' },
}

const plannedFields: Fields<PlannedCluster> = {
  ...place,
  kubernetes: 'version',
  from: 'version',
  to: 'version',
  ...safe('verdict', 'steps', 'total'),
  // Reasons contain names of artifacts.
  ...never('run_id', 'reasons'),
}

const upgradeFields: Fields<FleetUpgrade> = {
  ...safe('success', 'catalog_date'),
  clusters: plannedFields,
  steps: 'never',
  not_planned: place,
  summary: safe('clusters', 'ready', 'warnings', 'blocked', 'undetermined'),
}
