import { cluster } from './looked-at.ts'
import { step } from './steps.ts'
import type { Table } from './table.ts'
import { inQuery, type Values } from './values.ts'

const severity = 'none|low|medium|high|critical'
const item = {
  cluster_name: 'string',
  environment: 'string',
  run_id: /^crun_[A-Za-z0-9-]+$/,
  seen_at: 'timestamp',
  product_id: 'integer',
  product_name: 'string',
  artifact_type: 'image|helm_chart|app|kubernetes',
  artifact_key: 'string',
  display_name: 'string',
  current_version: 'string?',
  inherited_from_helm: 'boolean',
  namespaces: ['string'],
  workloads: ['string'],
  release_id: 'integer?',
  wanted_version: 'string?',
  // Beyond the contract.
  fixed_in: 'string?',
  step,
  'step_reasons?': 'anything',
  'states?': 'anything',
  'exploited?': 'boolean',
  severity,
  'advisory_ids?': 'anything',
  has_security_fix: 'boolean',
  is_certain: 'boolean',
  confidence: 'number',
}
const answer = {
  success: 'true',
  catalog_date: 'string',
  'coverage?': 'anything',
  releases: [{ release_id: 'integer', product_id: 'integer', version: 'string' }],
  summary: {
    clusters_seen: 'integer',
    clusters: 'integer',
    namespaces: 'integer',
    workloads: 'integer',
    artifacts: 'integer',
  },
  'advisories?': 'anything',
  'has_ranges?': 'boolean',
  looked_at: { projects: 'integer', security_known: 'integer', clusters: [{ ...cluster, known: 'integer' }] },
  items: [item],
}

/** An id of the catalog, and of nothing. */
const known: Values = {
  ...inQuery.whole(1, Number.MAX_SAFE_INTEGER),
  ok: ['1', '01'],
  unknown: ['999999999', String(Number.MAX_SAFE_INTEGER)],
  inside: { ok: [1], bad: [0, 1.5, null, true, Number.NaN, {}, []] },
}
const { bad } = inQuery.line(50)

/** All of it is beyond the contract. */
export const impactTable: Table<'getImpact'> = {
  getImpact: {
    good: () => ({}),
    query: {
      release_id: known,
      cve: {
        ok: ['', ' ', 'CVE-2026-1000', 'cve-2026-1000', ' GHSA-qppj-fm5r-hxr3 '],
        bad: ['x', 'CVE-2026', 'CVE-2026-1000,CVE-2026-1001', "' or 1=1 --", ...bad],
        inside: { ok: [], bad: [5, true, null, ['x'], { x: 1 }] },
      },
      new_days: inQuery.whole(1, 365),
      cluster_name: inQuery.line(253),
      environment: inQuery.line(100),
      page: inQuery.whole(1, 1_000_000),
      per_page: inQuery.whole(1, 1000),
    },
    answer: { ...answer, releases: 'anything' },
    more: [
      { call: () => ({ query: { cve: 'CVE-2026-1000' } }), answer },
      { call: () => ({ query: { product_id: '1' } }), answer: { ...answer, releases: 'anything' } },
    ],
  },
}
