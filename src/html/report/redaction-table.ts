import { findingSeverities } from '../../contract/choices.ts'
import type { SuppressedFinding } from '../../contract/cluster-report.ts'
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
import { check, type Fields, never, safe } from './redact-fields.ts'
import type { ListedFindings, RunTrend } from './report.ts'

/** What each field of a report can reveal. */

/** A check named after a place also has it in its name. */
function checkName(name: string, redactor: Redactor, { check_id }: Record<string, unknown>) {
  const id = String(check_id)
  const shown = redactor.text('check', id)
  return shown === id ? name : shown
}

/** Redundant next to a message. */
const omitText = (value: string, redactor: Redactor) => (redactor.hides('text') ? null : value)

const accepted = {
  exception_id: 'exception',
  reason: 'text',
  expires_on: 'safe',
  next_release_of: 'artifact',
  accepted_by: 'person',
} as const
const exploited = safe('since', 'due', 'ransomware')

export const findingFields = {
  ...safe('severity', 'count', 'is_unrated', 'not_looked_at_since', 'is_at_rest', 'is_guessed'),
  ...check('check_id', 'category'),
  fingerprint: 'fingerprint',
  exploited,
  accepted,
  check_name: checkName,
  namespace: 'namespace',
  resource: 'resource',
  message: 'text',
  value: omitText,
  ...never('workloads'),
} as const satisfies Fields<Finding>

export const suppressedFields: Fields<SuppressedFinding> = { ...findingFields, reason: 'text', until: 'safe' }

export const checkOfRunFields: Fields<ListedFindings['checks'][number]> = {
  ...check('check_id', 'category', 'recommendation', 'url'),
  ...safe('severity', 'findings', 'rows', 'unlisted_rows', 'points'),
  check_name: checkName,
  exploited,
}

const stateFields = { message: 'text', value: omitText, count: 'safe', of: 'safe' } as const

const riskPathFields: Fields<RiskPath> = {
  kind: 'safe',
  is_open: 'safe',
  summary: 'text',
  evidence: 'never',
  ...check('id', 'name', 'status', 'boundary', 'confidence', 'exploitability'),
  ...check('fix_priority', 'signal_checks', 'requires', 'triggered_by'),
}

const readinessFigures: Fields<NonNullable<ReadinessChange['from']>> = {
  ...check('status', 'label'),
  ...safe('skipped', 'blocker_count', 'warning_count', 'alignment_passed', 'alignment_failed'),
}
const blockerFields = check('check_id', 'name')

const readinessFields: Fields<AksReadiness> = {
  ...readinessFigures,
  message: 'text',
  ...never('blockers', 'warnings', 'alignment', 'actions'),
}

export const gateFields: Fields<RunGate> = {
  ...safe('verdict', 'at'),
  limits: safe('let_pass', 'exceptions_end'),
  policies: {
    ...safe('verdict', 'at'),
    by: 'person',
    policy: { name: 'policy', digest: 'id' },
    rules: { ...safe('rule', 'verdict', 'excepted', 'allowed_unknown'), reason: 'text', baseline: 'never' },
    exceptions: { ...safe('expires', 'matched'), source: 'exception', reason: 'text', where: 'cluster' },
    undecided_lines: { ...safe('expires', 'matched'), source: 'exception', reason: 'text' },
    undecided_by: 'never',
  },
}

const providers = ['aks', 'eks', 'gke', 'kubernetes']

export const runFields: Fields<ReceivedRun> = {
  run_id: 'id',
  cluster_name: 'cluster',
  environment: 'environment',
  source: 'person',
  region: 'text',
  provider: (provider, redactor) => (providers.includes(provider) ? provider : redactor.text('text', provider)),
  source_version: 'version',
  kubernetes_version: 'version',
  ...safe(
    'score',
    'score_source',
    'format',
    'total_checks',
    'failed_checks',
    'passed_checks',
    'is_empty',
    'is_candidate',
  ),
  ...safe('vulnerability_scan', 'scope_gaps', 'gaps_key', 'not_run_checks', 'known_faults'),
  checks_not_run: { check_id: 'check', name: checkName, reason: 'text', known_fault: 'text' },
  subject: 'text',
  scanner: 'safe',
  subjects: 'never',
  ended: { ended_at: 'safe', reason: 'text', ended_by: 'person' },
  ...check('first_seen_checks', 'missing_checks'),
  score_floor: 'safe',
  risk_paths: riskPathFields,
  aks_readiness: readinessFields,
  gate: gateFields,
  findings: safe('total', ...findingSeverities),
  artifacts: safe('images', 'helm_charts', 'apps'),
  ...safe(
    'not_looked_at_findings',
    'suppressed_findings',
    'accepted_findings',
    'started_at',
    'finished_at',
    'duration_seconds',
    'ingested_at',
  ),
  ...safe('processing_status', 'size_bytes'),
  ...never('guidance', 'report', 'inventory'),
  ci: (ci, redactor) => {
    const { provider, repository, commit, branch, build_url, pull_request, target_branch } = ci
    const shown = { provider, repository, commit, branch, build_url, pull_request, target_branch }
    return redactor.hides('exception') || redactor.hasNamespace(Object.values(shown).join(' ')) ? null : shown
  },
}

export const comparisonFields: Fields<ReceivedComparison> = {
  cluster_name: 'cluster',
  environment: 'environment',
  from: runFields,
  to: runFields,
  ...safe('success', 'score_delta', 'common_score_delta', 'across_clusters', 'since'),
  new_findings: { ...findingFields, count_delta: 'safe' },
  resolved_findings: { ...findingFields, count_delta: 'safe' },
  regressed_findings: { ...findingFields, previous_severity: 'safe', from: stateFields, to: stateFields },
  changed_findings: { ...findingFields, from: stateFields, to: stateFields },
  suppressed_findings: suppressedFields,
  event_findings: findingFields,
  first_seen_findings: findingFields,
  held_findings: findingFields,
  not_looked_at_findings: findingFields,
  at_rest_findings: findingFields,
  ...safe('not_looked_at_findings_count', 'at_rest_findings_count', 'renamed_findings_count'),
  back_in_scope_findings: findingFields,
  ...never('other_environments', 'renamed_workloads', 'renamed_findings'),
  ...safe('accepted_findings_count', 'new_findings_count', 'resolved_findings_count', 'regressed_findings_count'),
  ...safe('changed_findings_count', 'suppressed_findings_count', 'event_findings_count', 'ended_event_findings_count'),
  ...safe('first_seen_findings_count', 'back_in_scope_findings_count', 'unchanged_findings_count'),
  ...safe('incomparable_findings_count'),
  incomparable_findings: { ...safe('reason', 'count'), check_id: 'check', check_name: checkName, detail: 'text' },
  scope_changes: {
    namespaces_excluded: 'namespace',
    namespaces_included: 'namespace',
    ...check('checks_removed', 'checks_added'),
  },
  aks_readiness: {
    from: readinessFigures,
    to: readinessFigures,
    new_blockers: blockerFields,
    resolved_blockers: blockerFields,
  },
  risk_paths: {
    opened: riskPathFields,
    closed: riskPathFields,
    incomparable: { id: 'check', kind: 'safe', name: 'check', reason: 'text' },
  },
}

const eolFields = {
  ...safe('cycle', 'date', 'is_eol', 'is_lts', 'latest', 'by', 'extended_until', 'source', 'as_of'),
}

const countFields: Fields<AdvisoryCounts> = safe('critical', 'high', 'medium', 'low', 'unrated', 'exploited')

/** The address to get it from reveals what runs. */
const stepFields: Fields<Step> = {
  ...never('image', 'chart'),
  version: 'version',
  via: 'version',
  because: 'text',
  fixes: countFields,
  leaves: countFields,
  gains: 'safe',
  out_of_support: { ...eolFields, name: 'text' },
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
  artifact_key: artifactName,
  display_name: artifactName,
  short_name: artifactName,
  namespace: 'namespace',
  workloads: (workloads, redactor) => (redactor.hides('text') ? [] : workloads),
  ...safe('artifact_type', 'source', 'is_monitored'),
  ...never('source_product_id', 'source_product_slug', 'confidence', 'undecided_advisories', 'candidates'),
  current_version: (version, redactor, { artifact_type }) =>
    artifact_type === 'kubernetes' ? version : redactor.text('version', version),
  upstream_version: 'version',
  reason: 'text',
  recommendation: 'text',
  step_reasons: 'text',
  ...safe('latest_version', 'global_latest_version', 'same_line_version', 'status', 'compare_mode'),
  ...safe('inherited_from_helm', 'releases_behind', 'releases_behind_at_least', 'days_behind'),
  ...safe('security_fixes_between', 'highest_severity_between', 'security_facts'),
  advisories: {
    ...safe('id', 'aliases', 'severity', 'score', 'published', 'fixed_in', 'fixed_in_line', 'seen_by'),
    exploited,
    ranges: 'never',
  },
  ...safe('advisories_count', 'highest_advisory_severity', 'advisories_undecided', 'highest_undecided_severity'),
  ...safe('fixed_in_line', 'fixed_in', 'advisories_exploited', 'exploited_undecided', 'states'),
  steps: { urgent: stepFields, clean: stepFields, line: stepFields, next: stepFields, newest: stepFields },
  facts: { ...safe('state', 'since', 'last_release'), what: 'text', ...never('source', 'successors') },
  notes: { ...safe('kind', 'since'), what: 'text', ...never('source', 'successors') },
  scanned: { ...safe('scanner', 'seen_at', 'advisories', 'shared'), run_id: 'id' },
  eol: eolFields,
  ...safe('eol_unknown', 'managed_by', 'vendor_component', 'catalog_date'),
}

const wantedFields: Fields<NonNullable<ReceivedFreshness['wanted']>[number]> = {
  namespace: 'namespace',
  name: 'resource',
  chart: 'artifact',
  artifact_key: 'artifact',
  repository: 'never',
  wanted_version: 'version',
  running_version: 'version',
  ...safe('tool', 'kind', 'is_exact', 'state', 'newest_version', 'newest_in_range', 'next_version'),
}

/** Node data is about public software, except the node's name. */
const nodeFields: Fields<NonNullable<ReceivedFreshness['nodes']>[number]> = {
  artifact_key: 'artifact',
  display_name: 'version',
  version: 'version',
  nodes: (nodes, redactor) => (redactor.hides('text') ? [] : nodes),
  ...safe('part', 'slug', 'nodes_count', 'eol_unknown', 'source', 'as_of'),
  eol: eolFields,
  skew: safe('state', 'says', 'older', 'allowed_older', 'source', 'as_of'),
}

export const freshnessFields: Fields<ReceivedFreshness> = {
  nodes: nodeFields,
  wanted: wantedFields,
  unread: { source: 'safe', reason: 'text' },
  owner_labels: { namespace: 'namespace', workload: 'resource', owner: 'text' },
  run_id: 'id',
  items: itemFields,
  ...safe('success', 'processing_status', 'catalog_date', 'page', 'per_page', 'total', 'total_pages'),
  summary: {
    ...safe(
      'up_to_date',
      'minor_behind',
      'major_behind',
      'unknown',
      'managed',
      'newest_known',
      'artifacts',
      'kubernetes',
    ),
    ...safe('affected', 'exploited', 'compared', 'undecided', 'out_of_support', 'compromised', 'withdrawn'),
    ...safe('retired', 'in_bad_state', 'current_in_state'),
  },
  coverage: {
    ...safe('artifacts', 'known', 'managed', 'security_known', 'projects', 'catalog_at', 'security_facts_at'),
    ...safe('advisories_known', 'advisory_facts_at'),
    gaps: 'text',
  },
}

export const pointFields: Fields<ReceivedTrendPoint> = {
  run_id: 'id',
  ...safe('at', 'score', 'failed_checks', 'findings', 'not_run_checks', 'scope_gaps', 'gaps_key', 'aks_blockers'),
}

export const trendFields: Fields<RunTrend> = { days: 'safe', points: pointFields }
