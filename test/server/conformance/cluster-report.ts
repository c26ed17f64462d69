import { freshnessChoices, freshnessOrders } from '../../../src/contract/choices.ts'
import { scan } from '../../reports/scan.ts'
import type { Shape } from './shape.ts'
import { ofItem } from './steps.ts'
import type { Rows, Table } from './table.ts'
import {
  boolean,
  choice,
  inQuery,
  integer,
  line,
  list,
  number,
  object,
  orNull,
  otherThan,
  required,
  text,
  time,
  type Values,
  words,
} from './values.ts'

type ReportRoute =
  | 'uploadReport'
  | 'listReports'
  | 'compareReports'
  | 'reportTrends'
  | 'getReport'
  | 'reportFreshness'
  | 'recordGate'
  | 'endSubject'
  | 'deleteReport'

// Beyond the contract.
const environments = ['string']

const runId = /^crun_[A-Za-z0-9-]+$/

const run = {
  run_id: runId,
  cluster_name: 'string',
  environment: 'string',
  provider: 'string?',
  region: 'string?',
  source: 'string?',
  source_version: 'string?',
  kubernetes_version: 'string?',
  score: 'number?',
  // Beyond the contract, as the format is.
  score_source: 'scanner|computed?',
  format: 'kubebuddy',
  total_checks: 'integer',
  failed_checks: 'integer',
  passed_checks: 'integer',
  // Beyond the contract.
  'subject?': 'string',
  'scanner?': 'kubebuddy',
  'subjects?': 'anything',
  'ended?': 'anything',
  'is_candidate?': 'boolean',
  is_empty: 'boolean',
  not_run_checks: 'integer',
  'known_faults?': 'integer',
  suppressed_findings: 'integer',
  'not_looked_at_findings?': 'integer',
  'accepted_findings?': 'integer',
  vulnerability_scan: 'boolean',
  scope_gaps: 'integer',
  gaps_key: /^[0-9a-f]*$/,
  'first_seen_checks?': 'anything',
  'missing_checks?': 'anything',
  'score_floor?': 'number',
  'checks_not_run?': 'anything',
  'guidance?': 'anything',
  'risk_paths?': 'anything',
  'aks_readiness?': 'anything',
  gate: 'anything',
  findings: {
    total: 'integer',
    critical: 'integer',
    high: 'integer',
    medium: 'integer',
    low: 'integer',
    info: 'integer',
    unknown: 'integer',
  },
  artifacts: { images: 'integer', helm_charts: 'integer', apps: 'integer' },
  started_at: 'timestamp?',
  finished_at: 'timestamp?',
  duration_seconds: 'number?',
  ingested_at: 'timestamp',
  processing_status: 'ready',
  size_bytes: 'integer',
  ci: 'anything',
}
const finding = {
  fingerprint: 'string',
  check_id: 'string',
  check_name: 'string',
  category: 'string',
  severity: 'critical|high|medium|low|info|unknown',
  namespace: 'string?',
  resource: 'string?',
  message: 'string',
  value: 'string?',
  // Beyond the contract.
  count: 'integer',
  'is_unrated?': 'boolean',
  'accepted?': 'anything',
}
const trendPoint = {
  run_id: runId,
  at: 'timestamp',
  score: 'number?',
  failed_checks: 'integer',
  findings: 'integer',
  // Beyond the contract.
  not_run_checks: 'integer',
  'known_faults?': 'integer',
  scope_gaps: 'integer',
  gaps_key: /^[0-9a-f]*$/,
}
const trend = { cluster_name: 'string', environment: 'string', format: 'kubebuddy', points: [trendPoint] }

const freshnessItem = {
  current_version: 'string?',
  latest_version: 'string?',
  confidence: 'number',
  reason: 'string',
  recommendation: 'string',
  status: 'up_to_date|minor_behind|major_behind|unknown',
  artifact_type: 'image|helm_chart|app|kubernetes',
  artifact_key: 'string',
  display_name: 'string',
  namespace: 'string?',
  workloads: ['string'],
  source: 'artifacts|findings|metadata',
  source_product_id: 'integer?',
  is_monitored: 'boolean',
  global_latest_version: 'string?',
  compare_mode: 'exact|line|none',
  inherited_from_helm: 'boolean',
  releases_behind: 'integer?',
  // Beyond the contract.
  'releases_behind_at_least?': 'boolean',
  days_behind: 'integer?',
  security_fixes_between: 'integer',
  highest_severity_between: 'none|low|medium|high|critical',
  'security_facts?': 'boolean',
  // Beyond the contract.
  source_product_slug: 'string?',
  advisories: [
    {
      id: 'string',
      aliases: ['string'],
      severity: 'none|low|medium|high|critical?',
      score: 'number?',
      published: 'string?',
      fixed_in: 'string?',
      fixed_in_line: 'string?',
      'ranges?': [{ introduced: 'string', fixed: 'string?', last_affected: 'string?' }],
      'seen_by?': ['catalog|trivy'],
      exploited: 'anything',
    },
  ],
  ...ofItem,
  advisories_count: 'integer?',
  highest_advisory_severity: 'none|low|medium|high|critical?',
  advisories_undecided: 'integer',
  highest_undecided_severity: 'none|low|medium|high|critical?',
  'undecided_advisories?': [
    {
      id: 'string',
      aliases: ['string'],
      severity: 'none|low|medium|high|critical?',
      reason: 'string',
      'seen_by?': ['catalog|trivy'],
      'exploited?': 'anything',
    },
  ],
  'scanned?': { scanner: 'trivy', run_id: 'string', seen_at: 'string', advisories: 'integer', shared: 'integer' },
  fixed_in_line: 'string?',
  fixed_in: 'string?',
  same_line_version: 'string?',
  'catalog_date?': 'string',
  'upstream_version?': 'string',
  'short_name?': 'string',
  'managed_by?': 'string',
  'vendor_component?': 'true',
  'eol?': { cycle: 'string', date: 'string?', is_eol: 'boolean', 'is_lts?': 'boolean', 'latest?': 'string' },
}
const candidate = {
  product_id: 'integer',
  name: 'string',
  matched_by: 'repository|mirror|chart|name',
  taken: 'boolean',
  confidence: 'number',
  reason: 'string',
}
const freshnessFor = (item: Shape) => ({
  success: 'true',
  run_id: runId,
  processing_status: 'ready',
  summary: {
    up_to_date: 'integer',
    minor_behind: 'integer',
    major_behind: 'integer',
    unknown: 'integer',
    // Beyond the contract.
    'managed?': 'integer',
    ...{ 'artifacts?': 'integer', 'kubernetes?': 'integer', 'affected?': 'integer', 'exploited?': 'integer' },
    ...{ 'compared?': 'integer', 'undecided?': 'integer', 'out_of_support?': 'integer', 'compromised?': 'integer' },
    ...{
      'withdrawn?': 'integer',
      'retired?': 'integer',
      'in_bad_state?': 'integer',
      'current_in_state?': 'integer',
      'newest_known?': 'integer',
    },
  },
  items: [item],
  // Beyond the contract.
  catalog_date: 'string',
  'coverage?': 'anything',
  ...{ 'page?': 'integer', 'per_page?': 'integer', 'total?': 'integer', 'total_pages?': 'integer' },
})

/** An object whose members are required. */
const complete: Values = { ...object, ok: [] }
const atLeastOne = ({ ok, bad }: Values): Values => ({
  ok: ok.filter((each) => (each as []).length > 0),
  bad: [...bad, []],
})

const ofCluster = { cluster_name: inQuery.line(253), environment: inQuery.line(100) }
const optional = (values: Values) => orNull(values)

const workload = ['namespace', 'workloadKind', 'workloadName']
const release = ['releaseName', 'releaseNamespace']

/** A list of an inventory, with the members of its items. */
function artifacts(kind: string, members: string[], most = 50_000): Record<string, Values> {
  const path = `artifacts.${kind}`
  return {
    [path]: optional(list(most, {})),
    [`${path}.0`]: object,
    ...Object.fromEntries(members.map((name) => [`${path}.0.${name}`, optional(text(2000))])),
  }
}

const upload: Rows = {
  good: () => ({ body: { report: scan([{ message: 'uploaded' }]) } }),
  body: {
    report: required({
      ok: [
        { metadata: { clusterName: 'shop' }, checks: { A: { Total: 0 } } },
        { metadata: { clusterName: 'shop' }, checks: { A: { ID: 'A', Total: 0, Items: [] } }, metrics: {} },
      ],
      bad: ['x', '', 5, true, []],
      absent: [null],
    }),
    source: optional(line(100)),
    source_version: optional(line(100)),
    environment: optional(line(100)),
    cluster: optional(object),
    'cluster.name': optional(line(253)),
    'cluster.provider': optional(line(100)),
    'cluster.region': optional(line(100)),
    run: optional(object),
    'run.started_at': optional(time),
    'run.finished_at': optional(time),
    'run.duration_seconds': optional(number(0, 31_536_000)),
    ci: optional(object),
    'ci.provider': optional(line(100)),
    'ci.repository': optional(line(500)),
    'ci.commit': optional(line(100)),
    'ci.branch': optional(line(300)),
    'ci.build_url': optional(line(1000)),
    'ci.pull_request': optional(line(100)),
    'ci.target_branch': optional(line(300)),
    // Those of other scanners refuse this report.
    format: optional(choice('kubebuddy')),
    subject: optional(line(200)),
    state_branch: optional(line(300)),
    looked_at: optional(list(3, 'vuln')),
    'looked_at.0': choice('vuln', 'misconfig', 'secret'),
    artifacts: optional(object),
    ...artifacts('images', ['fullRef', 'helmChartName', 'helmReleaseName', 'specDigest', ...workload]),
    ...artifacts('helmCharts', ['name', 'version', 'appVersion', 'releaseName', 'releaseNamespace', ...workload]),
    ...artifacts('apps', ['name', 'version', 'namespace']),
    ...artifacts('owners', ['namespace', 'kind', 'name', 'ownerKind', 'ownerName'], 200_000),
    ...artifacts('ownerLabels', ['namespace', 'workloadKind', 'workloadName', 'owner']),
    ...artifacts('nodes', ['name', 'osImage', 'containerRuntimeVersion', 'kubeletVersion', 'offering']),
    ...artifacts('wanted', [
      'tool',
      'kind',
      'namespace',
      'name',
      'chart',
      'version',
      'repository',
      'running',
      ...release,
    ]),
    ...artifacts('apis', ['group', 'version', 'kind', 'by']),
    'artifacts.apis.0.users': optional(list(20, 'x')),
    'artifacts.apis.0.users.0': text(2000),
    'artifacts.apis.0.count': optional(integer(0, 1_000_000_000)),
    ...artifacts('unread', ['source', 'reason'], 100),
    'artifacts.gaps': optional(list(100, 'x')),
    'artifacts.gaps.0': text(2000),
  },
  answer: {
    success: 'true',
    run_id: runId,
    ingested_at: 'timestamp',
    processing_status: 'ready',
    'duplicate?': 'true',
    // Beyond the contract.
    not_run_checks: 'integer',
    'warnings?': ['string'],
  },
}

export const clusterReportTable: Table<ReportRoute> = {
  uploadReport: upload,
  listReports: {
    good: () => ({}),
    query: {
      ...ofCluster,
      // Beyond the contract.
      run_id_prefix: {
        ok: ['', ' ', 'crun_', 'crun_x', `crun_${'x'.repeat(64)}`],
        bad: ['x', 'crun', 'crun_%', 'crun_ x', `crun_${'x'.repeat(65)}`, "' or 1=1 --", ['crun_x', 'crun_x']],
        inside: { ok: [], bad: [5, true, null, ['crun_x'], {}] },
      },
      scanned_until: inQuery.time,
      latest: inQuery.flag,
      page: inQuery.whole(1, 1_000_000),
      per_page: inQuery.whole(1, 100),
    },
    answer: {
      page: 'integer',
      per_page: 'integer',
      total: 'integer',
      total_pages: 'integer',
      items: [run],
      environments,
      'run_id_prefix?': 'string',
      'latest?': 'boolean',
    },
  },
  compareReports: {
    good: () => ({}),
    query: {
      ...ofCluster,
      from_run_id: inQuery.runId,
      to_run_id: inQuery.runId,
      // Beyond the contract.
      since: inQuery.time,
      baseline: { ok: ['previous', 'none'], bad: ['x'.repeat(401)], inside: { ok: [], bad: otherThan('text') } },
      rule: { ok: ['new>=high'], bad: ['x'.repeat(101)], inside: { ok: [], bad: otherThan('text') } },
    },
    mayFindNothing: true,
    answer: {
      success: 'true',
      cluster_name: 'string',
      environment: 'string',
      from: run,
      to: run,
      score_delta: 'number?',
      new_findings: [finding],
      resolved_findings: [finding],
      // `previous_severity` is beyond the contract.
      regressed_findings: [{ ...finding, 'previous_severity?': 'critical|high|medium|low|info|unknown' }],
      new_findings_count: 'integer',
      resolved_findings_count: 'integer',
      regressed_findings_count: 'integer',
      unchanged_findings_count: 'integer',
      incomparable_findings_count: 'integer',
      'other_environments?': 'anything',
      'across_clusters?': 'true',
      'common_score_delta?': 'number',
      'held_findings?': 'anything',
      changed_findings: 'anything',
      changed_findings_count: 'integer',
      suppressed_findings: 'anything',
      suppressed_findings_count: 'integer',
      event_findings: 'anything',
      event_findings_count: 'integer',
      ended_event_findings_count: 'integer',
      renamed_workloads: 'anything',
      renamed_findings: 'anything',
      renamed_findings_count: 'integer',
      'accepted_findings_count?': 'integer',
      first_seen_findings: 'anything',
      first_seen_findings_count: 'integer',
      back_in_scope_findings: 'anything',
      back_in_scope_findings_count: 'integer',
      not_looked_at_findings: 'anything',
      not_looked_at_findings_count: 'integer',
      at_rest_findings: 'anything',
      at_rest_findings_count: 'integer',
      incomparable_findings: 'anything',
      risk_paths: 'anything',
      aks_readiness: 'anything',
      scope_changes: {
        namespaces_excluded: ['string'],
        namespaces_included: ['string'],
        checks_removed: ['string'],
        checks_added: ['string'],
      },
    },
  },
  reportTrends: {
    good: () => ({}),
    query: {
      ...ofCluster,
      window_days: inQuery.whole(1, 365),
      group_by_cluster: inQuery.flag,
      checks: inQuery.flag,
    },
    answer: { success: 'true', window_days: 'integer', ...trend, 'other_environments?': 'anything' },
    more: [
      {
        call: () => ({ query: { group_by_cluster: 'true' } }),
        answer: { success: 'true', window_days: 'integer', clusters: [trend] },
      },
      {
        call: () => ({ query: { checks: 'true' } }),
        answer: {
          success: 'true',
          window_days: 'integer',
          ...trend,
          points: [{ ...trendPoint, aks_blockers: 'integer?' }],
          checks: [{ check_id: 'string', check_name: 'string', findings: 'anything' }],
          'other_environments?': 'anything',
        },
      },
    ],
  },
  getReport: {
    good: ({ ids }) => ({ params: { run_id: ids.run } }),
    query: { include_report: inQuery.flag },
    answer: run,
    more: [
      {
        call: ({ ids }) => ({ params: { run_id: ids.run }, query: { include_report: 'true' } }),
        answer: { ...run, report: 'anything', inventory: 'anything' },
      },
    ],
  },
  reportFreshness: {
    good: ({ ids }) => ({ params: { run_id: ids.run } }),
    query: {
      ...{ explain: inQuery.flag, status: inQuery.choice(...freshnessChoices) },
      ...{ search: inQuery.line(200), artifact: inQuery.line(1000), sort: inQuery.choice(...freshnessOrders) },
      ...{ page: inQuery.whole(1, 1_000_000), per_page: inQuery.whole(1, 1000) },
    },
    answer: freshnessFor(freshnessItem),
    more: [
      {
        call: ({ ids }) => ({ params: { run_id: ids.run }, query: { explain: 'true' } }),
        answer: freshnessFor({ ...freshnessItem, candidates: [candidate] }),
      },
    ],
  },
  recordGate: {
    good: async ({ makeRun }) => ({
      params: { run_id: await makeRun() },
      body: {
        policy: { name: 'relt.yaml', digest: 'a3'.repeat(32) },
        rules: [
          {
            rule: 'new>=high',
            verdict: 'failed',
            reason: '1 new finding',
            excepted: 1,
            baseline: { run_id: null, at: null, why: 'none' },
            moves: { held: [{ fingerprint: 'a3'.repeat(16), until: null }] },
          },
        ],
        exceptions: [{ source: 'relt.yaml:12', reason: 'Known', expires: '2026-12-31', matched: 1 }],
        undecided_lines: [{ source: 'relt.yaml:14', reason: '', expires: '2026-12-31', matched: 1 }],
        undecided_by: [{ rule: 'new>=high', part: 'PROM001', state: 'failed', reason: 'no data' }],
      },
    }),
    body: {
      policy: required(complete),
      'policy.name': required(words(200)),
      'policy.digest': required({
        ok: ['0'.repeat(64)],
        bad: ['', 'x', 'A3'.repeat(32), '0'.repeat(65), ...otherThan('text')],
      }),
      rules: required(atLeastOne(list(300, { rule: 'x', verdict: 'passed', reason: '', excepted: 0 }))),
      'rules.0': complete,
      'rules.0.rule': required(words(100)),
      'rules.0.verdict': required(choice('passed', 'failed', 'undecided')),
      'rules.0.reason': required(text(1000)),
      'rules.0.excepted': required(integer(0, 1_000_000_000)),
      'rules.0.allowed_unknown': boolean,
      exceptions: list(200, { source: 'x', reason: '', expires: '2026-12-31', matched: 0 }),
      'exceptions.0': complete,
      'exceptions.0.source': required(words(300)),
      'exceptions.0.reason': required(text(1000)),
      'exceptions.0.expires': required({
        ok: ['2026-12-31'],
        bad: ['', 'x', '2026-12-31 00:00:00', ...otherThan('text')],
      }),
      'exceptions.0.matched': required(integer(0, 1_000_000_000)),
      'exceptions.0.where': words(400),
      'rules.0.baseline': complete,
      'rules.0.baseline.run_id': required(orNull({ ok: ['crun_x'], bad: otherThan('text') })),
      'rules.0.baseline.at': required(
        orNull({ ok: ['2026-12-31 00:00:00'], bad: ['', 'x', '2026-12-31', ...otherThan('text')] }),
      ),
      'rules.0.baseline.why': required(
        choice('passed', 'taken_in', 'begun', 'asked', 'new_subject', 'none', 'begins', 'previous'),
      ),
      'rules.0.moves': complete,
      'rules.0.moves.held': required(list(5000, { fingerprint: '0a'.repeat(16), until: null })),
      'rules.0.moves.held.0': complete,
      'rules.0.moves.held.0.fingerprint': required({
        ok: ['0'.repeat(32)],
        bad: ['', 'x', 'A3'.repeat(16), '0'.repeat(33), ...otherThan('text')],
      }),
      'rules.0.moves.held.0.until': required(
        orNull({ ok: ['2026-12-31'], bad: ['', 'x', '2026-12-31 00:00:00', ...otherThan('text')] }),
      ),
      undecided_lines: list(200, { source: 'x', reason: '', expires: '2026-12-31', matched: 0 }),
      'undecided_lines.0': complete,
      'undecided_lines.0.source': required(words(300)),
      'undecided_lines.0.reason': required(text(1000)),
      'undecided_lines.0.expires': required({ ok: ['2026-12-31'], bad: ['', 'x', ...otherThan('text')] }),
      'undecided_lines.0.matched': required(integer(0, 1_000_000_000)),
      'undecided_lines.0.where': words(400),
      undecided_by: list(100, { rule: 'x', part: '', state: 'failed', reason: '' }),
      'undecided_by.0': complete,
      'undecided_by.0.rule': required(words(100)),
      'undecided_by.0.part': required(text(300)),
      'undecided_by.0.place': text(300),
      'undecided_by.0.state': required(choice('forbidden', 'failed', 'left_out', 'unknown')),
      'undecided_by.0.reason': required(text(500)),
      'undecided_by.0.subject': orNull(text(300)),
      'undecided_by.0.cure': text(500),
    },
    answer: { success: 'true', verdict: 'passed|failed|undecided', at: 'timestamp' },
  },
  endSubject: {
    good: async ({ makeRun }) => ({ params: { run_id: await makeRun() }, body: { reason: 'Gone' } }),
    body: { reason: required(words(1000)) },
    answer: {
      success: 'true',
      run_id: runId,
      cluster_name: 'string',
      environment: 'string',
      format: 'kubebuddy',
      subject: 'string?',
      ended_at: 'timestamp',
      reason: 'string',
      ended_by: 'string?',
      findings: 'anything',
    },
  },
  deleteReport: {
    good: async ({ makeRun }) => ({ params: { run_id: await makeRun() } }),
    answer: { success: 'true' },
  },
}
