import type { Rows, Table } from './table.ts'
import { inQuery, integer, list, orNull, type Values, words } from './values.ts'

type ClusterRoute =
  | 'listClusters'
  | 'getStatus'
  | 'compareClusters'
  | 'listClusterVersions'
  | 'getClusterMetrics'
  | 'getCluster'
  | 'updateCluster'
  | 'deleteCluster'

const standing = {
  clusters: 'integer',
  'oldest_critical?': 'timestamp',
  critical: 'integer',
  affected_critical: 'integer',
  ended: 'integer',
} as const
const news = {
  since: 'timestamp',
  time_zone: 'string',
  findings: 'integer',
  critical: 'integer',
} as const

const clusterId = /^clus_[0-9a-f]{16}$/
const runId = /^crun_/
const place = { cluster_id: clusterId, cluster_name: 'string', environment: 'string' }

const latestRun = {
  run_id: runId,
  format: 'string',
  score: 'number?',
  score_delta: 'number?',
  findings: 'anything',
  total_checks: 'integer',
  failed_checks: 'integer',
  not_run_checks: 'integer',
  'known_faults?': 'integer',
  scope_gaps: 'integer',
  is_empty: 'boolean',
}

const scanner = {
  last_scan: 'timestamp',
  overdue: 'boolean?',
  latest_run: latestRun,
  scores: 'anything',
  changes: 'anything',
  gate: 'anything',
  attention: 'anything',
}

const cluster = {
  ...place,
  labels: 'anything',
  provider: 'string?',
  region: 'string?',
  kubernetes_version: 'string?',
  expected_every: 'integer?',
  expected_reports: 'anything',
  ...scanner,
  scanners: [{ format: 'kubebuddy', ...scanner }],
  freshness: {
    run_id: 'string',
    artifacts: 'integer',
    known: 'integer',
    minor_behind: 'integer',
    major_behind: 'integer',
    affected: 'integer',
    affected_critical: 'integer',
    affected_high: 'integer',
    compromised: 'integer',
    exploited: 'integer',
    retired: 'integer',
    ended: 'integer',
    ending: 'integer',
    is_current: 'boolean',
    'catalog_date?': /^\d{4}-\d\d-\d\d$/,
  },
  has_figures: 'boolean',
  attention_now: 'anything',
  news,
  'standing?': standing,
}

const summary = {
  clusters: 'integer',
  attention: 'anything',
  needs_attention: 'integer',
  news,
  'standing?': standing,
  now: { clusters: 'integer', known: 'integer', attention: 'anything' },
  pending: 'integer',
  'never_reported?': 'anything',
}

const one: Rows['good'] = ({ ids }) => ({ params: { cluster_id: ids.cluster } })

/** The id of a cluster in a query. */
const id: Values = {
  ok: [],
  unknown: ['clus_', 'clus_0000000000000000', 'x', "' or 1=1 --"],
  bad: ['', ' ', 'x'.repeat(101), 'a\nb', ['clus_x', 'clus_x']],
  required: true,
}

/** All of it is beyond the contract. */
export const clusterTable: Table<ClusterRoute> = {
  listClusters: {
    good: () => ({}),
    query: {
      cluster_name: inQuery.line(253),
      environment: inQuery.line(100),
      label: inQuery.line(100),
      sort: inQuery.choice('urgency', 'name', 'score', 'last_scan'),
      since: inQuery.time,
      learn: inQuery.flag,
      page: inQuery.whole(1, 1_000_000),
      per_page: inQuery.whole(1, 100),
    },
    mayFindNothing: true,
    answer: {
      success: 'true',
      page: 'integer',
      per_page: 'integer',
      total: 'integer',
      total_pages: 'integer',
      summary,
      items: [cluster],
    },
  },
  getStatus: {
    good: () => ({}),
    answer: {
      success: 'true',
      sources: { total: 'integer', failing: 'integer', items: 'anything' },
    },
  },
  compareClusters: {
    good: ({ ids }) => ({ query: { from: ids.cluster, to: ids.cluster } }),
    query: { from: id, to: id },
    answer: {
      success: 'true',
      from: { ...place, run_id: runId, seen_at: 'timestamp' },
      to: { ...place, run_id: runId, seen_at: 'timestamp' },
      summary: 'anything',
      pending: 'integer',
      items: [
        {
          product_id: 'integer?',
          name: 'string',
          artifact_type: 'app|helm_chart',
          from: ['string'],
          to: ['string'],
          difference: 'same|from_behind|to_behind|other|only_from|only_to',
        },
      ],
    },
  },
  listClusterVersions: {
    good: () => ({ query: { product_id: '1' } }),
    query: {
      product_id: {
        ...inQuery.whole(1, Number.MAX_SAFE_INTEGER),
        ok: ['1', '01'],
        unknown: ['999999999', String(Number.MAX_SAFE_INTEGER)],
        inside: { ok: [1], bad: [0, 1.5, null, true, Number.NaN, {}, []] },
        required: true,
      },
    },
    answer: {
      success: 'true',
      product: { id: 'integer', name: 'string', latest_version: 'string?' },
      'catalog_date?': /^\d{4}-\d\d-\d\d$/,
      summary: {
        clusters: 'integer',
        running: 'integer',
        with_inventory: 'integer',
        pending: 'integer',
        'never_reported?': 'anything',
      },
      unknown: 'anything',
      items: [
        {
          ...place,
          run_id: runId,
          seen_at: 'timestamp',
          artifact_type: 'image|helm_chart|app|kubernetes',
          name: 'string',
          version: 'string?',
          status: 'up_to_date|minor_behind|major_behind|unknown',
          releases_behind: 'integer?',
          days_behind: 'integer?',
          states: 'anything',
          step: 'anything',
          count: 'integer',
        },
      ],
    },
  },
  getClusterMetrics: {
    good: () => ({}),
    answer: {
      success: 'true',
      catalog_date: /^\d{4}-\d\d-\d\d$/,
      advisories_date: 'string?',
      sources: 'anything',
      items: [
        {
          cluster_name: 'string',
          environment: 'string',
          provider: 'string?',
          kubernetes_version: 'string?',
          'since?': 'timestamp',
          expected_every: 'integer?',
          scanners: 'anything',
          running: 'anything',
        },
      ],
    },
  },
  getCluster: { good: one, answer: cluster },
  updateCluster: {
    good: ({ ids }) => ({ params: { cluster_id: ids.cluster }, body: { environment: 'prod' } }),
    body: {
      cluster_name: words(253),
      environment: words(100),
      labels: list(50, 'team-shop'),
      'labels.0': words(100),
      expected_every: orNull(integer(60, 31_536_000)),
    },
    // Figures are made when a list is asked for.
    answer: { success: 'true', ...cluster, freshness: 'anything' },
  },
  deleteCluster: {
    good: async ({ makeCluster }) => ({ params: { cluster_id: await makeCluster() } }),
    answer: { success: 'true' },
  },
}
