import type { AcceptedScope, SuppressedFinding } from '../../contract/cluster-report.ts'
import type { FreshnessSummary } from '../../contract/freshness.ts'
import type { RunGate } from '../../contract/gate-verdict.ts'
import type {
  ReceivedComparison,
  ReceivedFreshness,
  ReceivedFreshnessItem,
  ReceivedRun,
  ReceivedTrendPoint,
} from '../../contract/received/cluster-report.ts'
import type { AksReadiness, ReadinessChange, RiskPath } from '../../contract/risk-path.ts'
import type { Finding } from '../../contract/scan-finding.ts'
import type { AdvisoryCounts, Step } from '../../contract/step.ts'
import type { Redactor } from '../../views/redaction.ts'
import type { Fields } from './redact-fields.ts'
import type { ListedFindings, RunTrend } from './report.ts'

/** What each field of a report can reveal. */

/** A check named after a place also has it in its name. */
function checkName(name: string, redactor: Redactor, { check_id }: Record<string, unknown>): string {
  const id = String(check_id)
  const shown = redactor.text('check', id)
  return shown === id ? name : shown
}

/** Redundant next to a message. */
const omitText = (value: string, redactor: Redactor): string | null => (redactor.hides('text') ? null : value)

const accepted = {
  exception_id: 'exception',
  reason: 'text',
  expires_on: 'safe',
  next_release_of: 'artifact',
  accepted_by: 'person',
} as const
const exploited = { since: 'safe', due: 'safe', ransomware: 'safe' } as const

export const findingFields = {
  ...{ fingerprint: 'fingerprint', severity: 'safe', count: 'safe', is_unrated: 'safe', exploited, accepted },
  ...{ check_id: 'check', check_name: checkName, category: 'check' },
  ...{ namespace: 'namespace', resource: 'resource', message: 'text', value: omitText },
  ...{ earlier_fingerprints: 'never', workloads: 'never' },
} as const satisfies Fields<Finding>

export const suppressedFields: Fields<SuppressedFinding> = { ...findingFields, reason: 'text', until: 'safe' }

export const checkOfRunFields: Fields<ListedFindings['checks'][number]> = {
  ...{ check_id: 'check', check_name: checkName, category: 'check', recommendation: 'check', url: 'check' },
  ...{ severity: 'safe', findings: 'safe', rows: 'safe', unlisted_rows: 'safe', points: 'safe', exploited },
}

const stateFields = { message: 'text', value: omitText, count: 'safe' } as const

const riskPathFields: Fields<RiskPath> = {
  ...{ kind: 'safe', is_open: 'safe', summary: 'text', evidence: 'never' },
  ...{ id: 'check', name: 'check', status: 'check', boundary: 'check', confidence: 'check', exploitability: 'check' },
  ...{ fix_priority: 'check', signal_checks: 'check', requires: 'check', triggered_by: 'check' },
}

const readinessFigures: Fields<NonNullable<ReadinessChange['from']>> = {
  ...{ status: 'check', label: 'check', skipped: 'safe', blocker_count: 'safe' },
  ...{ warning_count: 'safe', alignment_passed: 'safe', alignment_failed: 'safe' },
}
const blockerFields = { check_id: 'check', name: 'check' } as const

const readinessFields: Fields<AksReadiness> = {
  ...{ ...readinessFigures, message: 'text' },
  ...{ blockers: 'never', warnings: 'never', alignment: 'never', actions: 'never' },
}

const scopeFields: Fields<AcceptedScope> = {
  run_id: (id, redactor) => redactor.text('id', id) || null,
  ...{ accepted_at: 'safe', accepted_by: 'person', reason: 'text', checks: 'safe' },
  ...{ missing_checks: 'check', missing_namespaces: 'namespace', missing_kinds: 'check' },
}

export const gateFields: Fields<RunGate> = {
  ...{ verdict: 'safe', at: 'safe', limits: { let_pass: 'safe', exceptions_end: 'safe' } },
  policies: {
    ...{ verdict: 'safe', at: 'safe', by: 'person', policy: { name: 'policy', digest: 'id' } },
    rules: { rule: 'safe', verdict: 'safe', reason: 'text', excepted: 'safe', allowed_unknown: 'safe' },
    exceptions: { source: 'exception', reason: 'text', expires: 'safe', matched: 'safe' },
    accept_scope: { source: 'exception', reason: 'text', matched: 'safe' },
  },
}

const providers = ['aks', 'eks', 'gke', 'kubernetes']

export const runFields: Fields<ReceivedRun> = {
  ...{ run_id: 'id', cluster_name: 'cluster', environment: 'environment', source: 'person', region: 'text' },
  provider: (provider, redactor) => (providers.includes(provider) ? provider : redactor.text('text', provider)),
  ...{ source_version: 'version', kubernetes_version: 'version' },
  ...{ score: 'safe', score_source: 'safe', format: 'safe', total_checks: 'safe', failed_checks: 'safe' },
  ...{
    passed_checks: 'safe',
    is_empty: 'safe',
    vulnerability_scan: 'safe',
    scope_gaps: 'safe',
    gaps_key: 'safe',
    not_run_checks: 'safe',
  },
  checks_not_run: {
    check_id: 'check',
    ...{ name: checkName, reason: 'text' },
  },
  ...{ first_seen_checks: 'check', missing_checks: 'check', accepted_scope: scopeFields, guidance: 'never' },
  ...{ risk_paths: riskPathFields, aks_readiness: readinessFields, gate: gateFields },
  findings: {
    ...{ total: 'safe', critical: 'safe', high: 'safe', medium: 'safe', low: 'safe', info: 'safe', unknown: 'safe' },
  },
  ...{ suppressed_findings: 'safe', accepted_findings: 'safe' },
  artifacts: { images: 'safe', helm_charts: 'safe', apps: 'safe' },
  ...{ started_at: 'safe', finished_at: 'safe', duration_seconds: 'safe', ingested_at: 'safe' },
  ...{ processing_status: 'safe', size_bytes: 'safe', report: 'never', inventory: 'never' },
  ci: (ci, redactor) => {
    const { provider, repository, commit, branch, build_url } = ci
    const shown = { provider, repository, commit, branch, build_url }
    return redactor.hides('exception') || redactor.hasNamespace(Object.values(shown).join(' ')) ? null : shown
  },
}

export const comparisonFields: Fields<ReceivedComparison> = {
  ...{ success: 'safe', cluster_name: 'cluster', environment: 'environment', from: runFields, to: runFields },
  ...{ score_delta: 'safe', score_comparable: 'safe', across_clusters: 'safe', other_environments: 'never' },
  new_findings: { ...findingFields, count_delta: 'safe' },
  resolved_findings: { ...findingFields, count_delta: 'safe' },
  regressed_findings: { ...findingFields, previous_severity: 'safe', from: stateFields, to: stateFields },
  changed_findings: { ...findingFields, from: stateFields, to: stateFields },
  ...{ suppressed_findings: suppressedFields, event_findings: findingFields },
  ...{ first_seen_findings: findingFields, back_in_scope_findings: findingFields, renamed_workloads: 'never' },
  accepted_findings_count: 'safe',
  ...{ new_findings_count: 'safe', resolved_findings_count: 'safe', regressed_findings_count: 'safe' },
  ...{ changed_findings_count: 'safe', suppressed_findings_count: 'safe', event_findings_count: 'safe' },
  ...{ ended_event_findings_count: 'safe', first_seen_findings_count: 'safe', back_in_scope_findings_count: 'safe' },
  ...{ unchanged_findings_count: 'safe', incomparable_findings_count: 'safe' },
  incomparable_findings: { reason: 'safe', check_id: 'check', check_name: checkName, count: 'safe', detail: 'text' },
  scope_changes: {
    ...{ namespaces_excluded: 'namespace', namespaces_included: 'namespace' },
    ...{ checks_removed: 'check', checks_added: 'check' },
  },
  aks_readiness: {
    ...{ from: readinessFigures, to: readinessFigures },
    ...{ new_blockers: blockerFields, resolved_blockers: blockerFields },
  },
  risk_paths: {
    ...{ opened: riskPathFields, closed: riskPathFields },
    incomparable: { id: 'check', kind: 'safe', name: 'check', reason: 'text' },
  },
}

const eolFields = {
  ...({ cycle: 'safe', date: 'safe', is_eol: 'safe', is_lts: 'safe', latest: 'safe' } as const),
  ...({ by: 'safe', extended_until: 'safe', source: 'safe', as_of: 'safe' } as const),
}

const countFields: Fields<AdvisoryCounts> = {
  ...{ critical: 'safe', high: 'safe', medium: 'safe', low: 'safe', unrated: 'safe', exploited: 'safe' },
}

/** The address to get it from reveals what runs. */
const stepFields: Fields<Step> = {
  ...{ version: 'version', image: 'never', chart: 'never', via: 'version', because: 'text' },
  ...{ fixes: countFields, leaves: countFields, gains: 'safe', out_of_support: { ...eolFields, name: 'text' } },
}

/** An image or app is named by its owner; Kubernetes is not sensitive. */
function artifactName(
  name: string,
  redactor: Redactor,
  { artifact_type: type, display_name }: Record<string, unknown>,
) {
  if (type === 'kubernetes') return name
  const kind = type === 'helm_chart' ? 'chart' : typeof type === 'string' ? type : 'artifact'
  return redactor.text('artifact', typeof display_name === 'string' ? display_name : name, kind)
}

/** Catalog versions are public, except those in the format of a running version. */
const itemFields: Fields<ReceivedFreshnessItem> = {
  ...{ artifact_type: 'safe', artifact_key: artifactName, display_name: artifactName, short_name: artifactName },
  namespace: 'namespace',
  workloads: (workloads, redactor) => (redactor.hides('text') ? [] : workloads),
  ...{ source: 'safe', source_product_id: 'never', source_product_slug: 'never', is_monitored: 'safe' },
  current_version: (version, redactor, { artifact_type }) =>
    artifact_type === 'kubernetes' ? version : redactor.text('version', version),
  ...{ latest_version: 'safe', global_latest_version: 'safe', same_line_version: 'safe', upstream_version: 'version' },
  ...{ status: 'safe', confidence: 'never', reason: 'text', recommendation: 'text', compare_mode: 'safe' },
  ...{ inherited_from_helm: 'safe', releases_behind: 'safe', releases_behind_at_least: 'safe', days_behind: 'safe' },
  ...{ security_fixes_between: 'safe', highest_severity_between: 'safe', security_facts: 'safe' },
  advisories: {
    ...{ id: 'safe', aliases: 'safe', severity: 'safe', score: 'safe', published: 'safe', fixed_in: 'safe' },
    ...{ fixed_in_line: 'safe', exploited, ranges: 'never', seen_by: 'safe' },
  },
  ...{ advisories_count: 'safe', highest_advisory_severity: 'safe', advisories_undecided: 'safe' },
  ...{ highest_undecided_severity: 'safe', undecided_advisories: 'never', fixed_in_line: 'safe', fixed_in: 'safe' },
  steps: { urgent: stepFields, clean: stepFields, line: stepFields, next: stepFields, newest: stepFields },
  ...{ advisories_exploited: 'safe', exploited_undecided: 'safe', step_reasons: 'text', states: 'safe' },
  facts: {
    ...{ state: 'safe', since: 'safe', what: 'text', source: 'never', successors: 'never', last_release: 'safe' },
  },
  notes: { kind: 'safe', since: 'safe', what: 'text', source: 'never', successors: 'never' },
  scanned: { scanner: 'safe', run_id: 'id', seen_at: 'safe', advisories: 'safe', shared: 'safe' },
  eol: eolFields,
  eol_unknown: 'safe',
  ...{ managed_by: 'safe', vendor_component: 'safe', catalog_date: 'safe', candidates: 'never' },
}

const countedFields = {
  ...{
    artifacts: 'safe',
    kubernetes: 'safe',
    affected: 'safe',
    exploited: 'safe',
    compared: 'safe',
    undecided: 'safe',
  },
  ...{ out_of_support: 'safe', compromised: 'safe', withdrawn: 'safe', retired: 'safe', in_bad_state: 'safe' },
  current_in_state: 'safe',
} as const satisfies Partial<Fields<FreshnessSummary>>

const wantedFields: Fields<NonNullable<ReceivedFreshness['wanted']>[number]> = {
  ...{ tool: 'safe', kind: 'safe', namespace: 'namespace', name: 'resource', chart: 'artifact', repository: 'never' },
  ...{ wanted_version: 'version', is_exact: 'safe', running_version: 'version', state: 'safe' },
  ...{ artifact_key: 'artifact', newest_version: 'safe', newest_in_range: 'safe', next_version: 'safe' },
}

/** Names of definitions and labels belong to public software, or to the operator. */
const customResourceFields: Fields<NonNullable<ReceivedFreshness['custom_resources']>[number]> = {
  ...{ name: 'artifact', kind: 'artifact', version: 'version', version_from: 'safe', state: 'safe' },
  versions: { name: 'safe', is_served: 'safe', is_storage: 'safe', is_deprecated: 'safe' },
  stored_versions: 'safe',
  deprecated_in_use: { version: 'safe', by: 'safe' },
  ...{ controller: 'resource', controller_version: 'version', unknown_because: 'text', step: 'text' },
}

/** The inventory of a hub names every cluster of its fleet. */
const clusterProfileFields: Fields<NonNullable<ReceivedFreshness['cluster_profiles']>[number]> = {
  ...{ namespace: 'namespace', name: 'text', display_name: 'text', manager: 'text', kubernetes_version: 'version' },
  is_healthy: 'safe',
  labels: (labels, redactor) => (redactor.hides('text') ? [] : labels),
}

/** Node data is about public software, except the node's name and kernel. */
const nodeFields: Fields<NonNullable<ReceivedFreshness['nodes']>[number]> = {
  ...{ part: 'safe', artifact_key: 'artifact', display_name: 'version', slug: 'safe', version: 'version' },
  nodes_count: 'safe',
  nodes: (nodes, redactor) => (redactor.hides('text') ? [] : nodes),
  ...{ eol: eolFields, eol_unknown: 'safe', source: 'safe', as_of: 'safe' },
  skew: { state: 'safe', says: 'safe', older: 'safe', allowed_older: 'safe', source: 'safe', as_of: 'safe' },
}

export const freshnessFields: Fields<ReceivedFreshness> = {
  ...{ nodes: nodeFields, wanted: wantedFields, custom_resources: customResourceFields },
  cluster_profiles: clusterProfileFields,
  unread: { source: 'safe', reason: 'text' },
  owner_labels: { namespace: 'namespace', workload: 'resource', owner: 'text' },
  ...{ success: 'safe', run_id: 'id', processing_status: 'safe', catalog_date: 'safe', items: itemFields },
  ...{ page: 'safe', per_page: 'safe', total: 'safe', total_pages: 'safe' },
  summary: {
    up_to_date: 'safe',
    minor_behind: 'safe',
    major_behind: 'safe',
    unknown: 'safe',
    managed: 'safe',
    ...countedFields,
  },
  coverage: {
    ...{ artifacts: 'safe', known: 'safe', managed: 'safe', security_known: 'safe', projects: 'safe' },
    ...{ catalog_at: 'safe', security_facts_at: 'safe', advisories_known: 'safe', advisory_facts_at: 'safe' },
    gaps: 'text',
  },
}

export const pointFields: Fields<ReceivedTrendPoint> = {
  ...{ run_id: 'id', at: 'safe', score: 'safe', failed_checks: 'safe', findings: 'safe', not_run_checks: 'safe' },
  ...{ scope_gaps: 'safe', gaps_key: 'safe', aks_blockers: 'safe', debt: 'never' },
}

export const trendFields: Fields<RunTrend> = { days: 'safe', points: pointFields }
