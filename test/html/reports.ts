import { ReceivedComparison, ReceivedFreshness, ReceivedRun } from '../../src/contract/received/cluster-report.ts'
import type { ListedFindings, RunReport } from '../../src/html/report/report.ts'
import { Redactor } from '../../src/views/redaction.ts'

/** Noon of 2026-09-01. */
const madeAt = Date.UTC(2026, 8, 1, 12) / 1000

/** A text in every place where a server or a report may write one. `tag` makes it different in each place. */
export function toReport(text: (tag: string) => string): RunReport {
  const finding = (tag: string) => ({
    ...{ fingerprint: text(`fingerprint ${tag}`), check_id: text('check'), check_name: text('check name') },
    ...{ category: text('category'), severity: 'critical' as const, namespace: text('namespace') },
    ...{ resource: text(`resource ${tag}`), message: text(`message ${tag}`), value: text(`value ${tag}`), count: 2 },
  })
  const suppressed = { ...finding('suppressed'), reason: text('suppressed reason'), until: text('until') }
  const at = '2026-08-31 06:00:00'
  const path = {
    ...{ id: text('path'), kind: 'direct' as const, name: text('path name'), status: 'triggered', is_open: true },
    ...{ boundary: null, confidence: null, exploitability: null, fix_priority: text('priority') },
    ...{ summary: text('summary'), signal_checks: [text('signal')], requires: [], triggered_by: [], evidence: [] },
  }
  const run = ReceivedRun.parse({
    ...{ run_id: 'crun_aaaa', cluster_name: text('cluster'), environment: text('environment') },
    ...{ provider: text('provider'), region: text('region'), source: text('source'), source_version: text('version') },
    ...{ kubernetes_version: text('kubernetes'), score: 61, score_source: 'scanner', format: 'kubebuddy' },
    ...{ total_checks: 12, failed_checks: 3, passed_checks: 8, not_run_checks: 1, suppressed_findings: 1 },
    checks_not_run: [{ check_id: text('not run'), name: text('not run name'), reason: text('not run reason') }],
    findings: { total: 4, critical: 2, high: 1, medium: 1, low: 0, info: 0 },
    artifacts: { images: 2, helm_charts: 0, apps: 0 },
    ...{ started_at: at, finished_at: at, ingested_at: at, duration_seconds: 4, size_bytes: 5, is_empty: false },
    processing_status: 'ready',
    risk_paths: [path],
    ci: {
      ...{ provider: text('ci'), repository: text('repository'), commit: text('commit'), branch: text('branch') },
      build_url: `https://ci.example/${encodeURIComponent(text('build').toWellFormed())}`,
    },
  })
  const list = [finding('one')]
  const comparison = ReceivedComparison.parse({
    ...{ success: true, cluster_name: text('cluster'), environment: text('environment'), from: run, to: run },
    ...{ score_delta: -4, new_findings: list, resolved_findings: list, regressed_findings: list },
    ...{ new_findings_count: 1, resolved_findings_count: 1, regressed_findings_count: 1, unchanged_findings_count: 2 },
    changed_findings: [
      { ...finding('two'), from: { message: text('was'), value: null }, to: { message: 'x', value: null } },
    ],
    suppressed_findings: [suppressed],
    incomparable_findings: [
      { reason: 'check_not_run', check_id: text('hidden'), check_name: 'Hidden', count: 3, detail: text('detail') },
    ],
    incomparable_findings_count: 3,
    scope_changes: {
      ...{ namespaces_excluded: [text('excluded')], namespaces_included: [text('included')] },
      ...{ checks_removed: [text('removed')], checks_added: [] },
    },
    risk_paths: {
      ...{ opened: [path], closed: [] },
      incomparable: [{ id: 'p', kind: 'direct', name: text('path name'), reason: text('path reason') }],
    },
  })
  const item = (artifact_type: string, more: object) => ({
    ...{ artifact_type, artifact_key: text(`key ${artifact_type}`), display_name: text(`image ${artifact_type}`) },
    ...{
      namespace: text('namespace'),
      workloads: [`${text('namespace')}/pod/${text('workload')}`],
      source: 'artifacts',
    },
    ...{ source_product_id: null, current_version: text('running'), latest_version: text('newest') },
    ...{ status: 'major_behind', confidence: 1, reason: text('why'), recommendation: text('advice') },
    ...{ releases_behind: 3, days_behind: 90, security_fixes_between: 2, highest_severity_between: 'high' },
    ...{ advisories: [], advisories_count: 2, highest_advisory_severity: 'high', fixed_in: text('fixed') },
    eol: { cycle: text('cycle'), date: '2026-06-28', is_eol: true },
    ...more,
  })
  const freshness = ReceivedFreshness.parse({
    ...{ success: true, run_id: 'crun_aaaa', processing_status: 'ready', catalog_date: '2026-08-22' },
    summary: { up_to_date: 0, minor_behind: 0, major_behind: 2, unknown: 1 },
    coverage: {
      ...{ artifacts: 3, known: 2, security_known: 1, projects: 2, catalog_at: '2026-08-22' },
      security_facts_at: '2026-08-20',
    },
    items: [
      item('image', {}),
      item('helm_chart', { advisories_count: null }),
      item('app', { status: 'unknown', advisories_count: null, eol: undefined, latest_version: null }),
      item('image', { status: 'up_to_date', advisories_count: 0, eol: undefined, display_name: text('image current') }),
      item('kubernetes', {
        display_name: 'Kubernetes v1.33.6',
        current_version: 'v1.33.6',
        workloads: [],
        namespace: null,
      }),
    ],
  })
  const findings: ListedFindings = {
    ...{ findings: 3, rows: 4, basis: 'weights', items: [finding('one'), finding('two'), finding('three')] },
    checks: [
      {
        ...{
          check_id: text('check'),
          check_name: text('check name'),
          category: text('category'),
          severity: 'critical',
        },
        ...{ findings: 3, rows: 4, unlisted_rows: 1, points: 2.5, recommendation: text('recommendation') },
        url: text('url'),
      },
    ],
    suppressed: [suppressed],
    suppressed_count: 1,
    excluded_namespaces: [text('excluded')],
  }
  const point = (day: string, score: number | null) => ({
    ...{ run_id: 'crun_bbbb', at: `${day} 06:00:00`, score, failed_checks: 3, findings: 4, not_run_checks: 1 },
  })
  return {
    ...{
      run,
      isQueued: false,
      madeAt,
      version: '0.1.0',
      server: text('server'),
      csv: null,
      redactor: new Redactor([]),
    },
    gate: {
      found: {
        verdict: 'failed',
        at,
        policies: [
          {
            ...{ verdict: 'failed', policy: { name: text('policy'), digest: 'a3'.repeat(32) }, at, by: text('person') },
            rules: [{ rule: text('rule'), verdict: 'failed', reason: text('rule reason'), excepted: 1 }],
            exceptions: [{ source: text('exception'), reason: text('accepted'), expires: '2026-12-31', matched: 1 }],
          },
        ],
      },
    },
    comparison: { found: comparison },
    findings: { found: findings },
    freshness: { found: freshness },
    trends: {
      found: { days: 30, points: [point('2026-08-12', 65), point('2026-08-24', null), point('2026-08-31', 61)] },
    },
  }
}

/** As of a server that knows nothing but the id. */
export function emptyReport(): RunReport {
  const missing = 'The server does not know.'
  return {
    ...{ isQueued: false, madeAt, version: '0.1.0', server: null, csv: null, redactor: new Redactor([]) },
    run: ReceivedRun.parse({ run_id: 'crun_aaaa' }),
    gate: { missing },
    comparison: { missing },
    findings: { missing },
    freshness: { missing },
    trends: { missing },
  }
}
