import { renamedJobs } from '../../reports/renamed-job.ts'
import type { Table } from './table.ts'
import { inQuery, line, otherThan, required, type Values, words as valueWords } from './values.ts'

const runId = /^crun_[A-Za-z0-9-]+$/
const severity = 'critical|high|medium|low|info|unknown'
const cluster = { cluster_name: 'string', environment: 'string' }

const finding = {
  fingerprint: 'string',
  check_id: 'string',
  check_name: 'string',
  category: 'string',
  severity,
  namespace: 'string?',
  resource: 'string?',
  message: 'string',
  value: 'string?',
  count: 'integer',
  'accepted?': 'anything',
  'not_looked_at_since?': 'timestamp',
}
const listed = {
  ...finding,
  state: 'new|regressed|open|accepted|suppressed|not-run',
  'owners?': 'anything',
  ...cluster,
  run_id: runId,
  format: 'kubebuddy',
  seen_at: 'timestamp',
  first_seen_at: 'timestamp?',
  reason: 'string?',
  suppressed_until: 'string?',
}
const ofRuns = {
  clusters: 'integer',
  runs: 'integer',
  oldest_scan_at: 'timestamp?',
  stale: 'anything',
  stale_count: 'integer',
  not_run_checks: 'integer',
  not_run: 'anything',
  suppressed_findings: 'integer',
  empty_runs: 'integer',
}
const lookedAt = {
  'accepted_findings?': 'integer',
  ...ofRuns,
  unlisted_rows: 'integer?',
  incomparable_findings: 'integer?',
}
const counts = { page: 'integer', per_page: 'integer', total: 'integer', total_pages: 'integer' }
const page = {
  ...counts,
  findings: 'integer',
  rows: 'integer',
  since: 'timestamp',
  time_zone: 'string',
}

/** Several of some words. */
const words = (...values: string[]): Values => {
  const { bad } = inQuery.choice(...values)
  return {
    ok: ['', values[0]!, values.join(','), ` ${values[0]} `],
    bad: [
      ...bad.filter(
        (value) =>
          typeof value === 'string' && value.trim() !== '' && value.trim() !== values[0] && value !== values.join(','),
      ),
      `${values[0]},`,
      `${values[0]},other`,
      [values[0], values[0]],
    ],
    inside: { ok: [], bad: [5, true, null, ['x'], { x: 1 }] },
  }
}

const choice = { run_id: inQuery.runId, cluster_name: inQuery.line(253), environment: inQuery.line(100) }

const paged = { ...choice, page: inQuery.whole(1, 1_000_000), per_page: inQuery.whole(1, 100) }

/** All of it is beyond the contract. */
export const findingTable: Table<
  'listFindings' | 'listRunFindings' | 'getFinding' | 'listTopChecks' | 'listRiskPaths' | 'splitWorkload'
> = {
  splitWorkload: {
    good: async ({ make }) => {
      const runs = []
      for (const report of renamedJobs())
        runs.push(await make('/cluster-reports', { report, cluster: { name: 'renamed' } }))
      return { body: { run_id: runs[1].run_id, namespace: 'default', workload: 'app-migrate-42' } }
    },
    body: {
      run_id: required({ ok: [], unknown: ['crun_x'], bad: ['', 'x', ...otherThan('text')] }),
      namespace: required({ ...line(253), ok: [], unknown: ['', 'other'] }),
      workload: required({ ...valueWords(253), ok: [], unknown: ['other'] }),
    },
    answer: {
      success: 'true',
      run_id: runId,
      at: 'timestamp',
      namespace: 'string',
      from: 'string',
      to: 'string',
      findings: 'integer',
    },
  },
  listFindings: {
    good: () => ({}),
    query: {
      ...choice,
      severity: words('critical', 'high', 'medium', 'low', 'info', 'unknown'),
      state: words('new', 'regressed', 'open', 'suppressed', 'not-run'),
      namespace: inQuery.line(253),
      check: inQuery.line(500),
      resource: inQuery.line(500),
      search: inQuery.line(500),
      owner: inQuery.line(100),
      since: inQuery.time,
      group_by: inQuery.choice('check', 'namespace', 'resource', 'severity', 'cluster', 'owner'),
      sort: inQuery.choice('severity', 'check', 'namespace', 'cluster', 'count', 'first-seen'),
      page: inQuery.whole(1, 1_000_000),
      per_page: inQuery.whole(1, 100),
    },
    mayFindNothing: true,
    answer: { ...page, group_by: 'anything', items: [listed], groups: 'anything', looked_at: lookedAt },
    more: [
      {
        call: () => ({ query: { group_by: 'check' } }),
        answer: {
          ...page,
          group_by: 'check',
          items: 'anything',
          groups: [
            { key: 'string?', name: 'string?', severity, findings: 'integer', rows: 'integer', clusters: 'integer' },
          ],
          looked_at: lookedAt,
        },
      },
    ],
  },
  listRunFindings: {
    good: ({ ids }) => ({ params: { run_id: ids.run } }),
    query: { limit: inQuery.whole(1, 1_000_000) },
    answer: {
      success: 'true',
      run_id: runId,
      findings: 'integer',
      'accepted_findings_count?': 'integer',
      'accepted_findings?': 'anything',
      rows: 'integer',
      basis: 'weights|formula',
      checks: [
        {
          check_id: 'string',
          check_name: 'string',
          category: 'string',
          severity,
          findings: 'integer',
          rows: 'integer',
          unlisted_rows: 'integer',
          points: 'number',
          recommendation: 'string?',
          url: 'string?',
        },
      ],
      items: [finding],
      suppressed: 'anything',
      suppressed_count: 'integer',
      excluded_namespaces: ['string'],
    },
  },
  listTopChecks: {
    good: () => ({}),
    query: {
      ...paged,
      owner: inQuery.line(100),
      severity: words('critical', 'high', 'medium', 'low', 'info', 'unknown'),
    },
    mayFindNothing: true,
    answer: {
      ...counts,
      'owner_score?': 'number?',
      items: [
        {
          check_id: 'string',
          check_name: 'string',
          format: 'kubebuddy',
          severity,
          points: 'number',
          basis: 'weights|formula|both',
          rows: 'integer',
          clusters: 'integer',
          recommendation: 'string?',
          url: 'string?',
        },
      ],
      mean_score: 'number?',
      runs_by_formula: 'integer',
      looked_at: ofRuns,
    },
  },
  listRiskPaths: {
    good: () => ({}),
    query: paged,
    mayFindNothing: true,
    answer: {
      ...counts,
      items: 'anything',
      aks_readiness: 'anything',
      runs_without_risk_paths: 'integer',
      looked_at: ofRuns,
    },
  },
  getFinding: {
    good: async ({ findFingerprint }) => ({ params: { fingerprint: await findFingerprint() } }),
    query: choice,
    mayFindNothing: true,
    answer: {
      success: 'true',
      finding: {
        ...finding,
        format: 'kubebuddy',
        recommendation: 'string?',
        url: 'string?',
        reason: 'string?',
        suppressed_until: 'string?',
      },
      run_id: runId,
      'proposal?': 'anything',
      'owners?': 'anything',
      clusters: [
        {
          ...cluster,
          state: 'open|suppressed|resolved|unknown',
          first_seen_at: 'timestamp?',
          first_run_id: 'anything',
          last_seen_at: 'timestamp?',
          last_run_id: 'anything',
          latest_run_id: 'anything',
          latest_scan_at: 'timestamp?',
          gate: 'string?',
          doubt: 'string?',
        },
      ],
      clusters_total: 'integer',
    },
  },
}
