import type { Shape } from './shape.ts'
import type { Table } from './table.ts'
import {
  address,
  advisory,
  boolean,
  choice,
  id,
  inQuery,
  line,
  list,
  orNull,
  required,
  text,
  time,
  type Values,
  words,
} from './values.ts'

type CatalogRoute =
  | 'listProjects'
  | 'getProject'
  | 'getProduct'
  | 'listReleases'
  | 'getStats'
  | 'getRecentReleases'
  | 'getPopularProjects'
  | 'addRelease'
  | 'syncProjects'
  | 'listExistingReleases'

export const releaseType = 'app|helm|pre'
const severity = 'none|low|medium|high|critical'
const cncfStatus = 'graduated|incubating|sandbox|open-source'

const releaseItem = {
  id: 'integer',
  product_id: 'integer',
  version: 'string',
  type: releaseType,
  release_notes: 'string',
  url: 'string',
  published_at: 'timestamp',
  has_security_fix: 'boolean',
  security_severity: severity,
  // Beyond the contract.
  chart_name: 'string?',
}
const release = {
  ...releaseItem,
  created_at: 'timestamp',
  cve_list: 'anything',
  security_summary: 'string?',
  cve_links: 'anything',
  // Beyond the contract.
  app_version: 'string?',
}
const releases = { app: [release], helm: [release], pre: [release] }

const projectDetail = {
  id: 'integer',
  name: 'string',
  description: 'string',
  category: 'string',
  cncf_status: cncfStatus,
  repo_url: 'string',
  homepage: 'string',
  docs_url: 'string?',
  logo_url: 'string?',
  // Beyond the contract.
  slug: 'string',
  helm_chart_repo: 'string?',
}
const project = {
  ...projectDetail,
  updated_at: 'timestamp',
  latest_version: 'string?',
  latest_published_at: 'timestamp?',
}
export const recentRelease = {
  id: 'integer',
  name: 'string',
  logo_url: 'string?',
  category: 'string',
  cncf_status: cncfStatus,
  repo_url: 'string',
  version: 'string',
  type: releaseType,
  published_at: 'timestamp',
  release_notes: 'string',
  has_security_fix: 'boolean',
  security_severity: severity,
  // Beyond the contract.
  product_id: 'integer',
  // Beyond the contract.
  'fixes?': ['string'],
}
const popularProject = {
  id: 'integer',
  name: 'string',
  category: 'string',
  cncf_status: cncfStatus,
  logo_url: 'string?',
  repo_url: 'string',
  subscriber_count: 'integer',
  last_release_at: 'timestamp',
  releases_30d: 'integer',
}
const toPage = (item: Shape) => ({
  page: 'integer',
  per_page: 'integer',
  total: 'integer',
  total_pages: 'integer',
  items: [item],
})

const paging = { page: inQuery.whole(1, 1_000_000), per_page: inQuery.whole(1, 100) }
const oneProject = { good: () => ({ params: { id: 1 } }), answer: { product: { ...projectDetail, releases } } }
const statuses = ['graduated', 'incubating', 'sandbox', 'open-source']
const types = ['app', 'helm', 'pre']

const newRelease: Record<string, Values> = {
  product_id: required(id),
  version: required(words(200)),
  type: required(choice(...types)),
  chart_name: line(200),
  release_notes: text(500_000),
  url: address,
  published_at: time,
  has_security_fix: boolean,
  cve_list: orNull(list(500, 'CVE-2026-1000')),
  'cve_list.0': advisory,
  // Any other needs a fix.
  security_severity: { ...choice('none', 'low', 'medium', 'high', 'critical'), ok: ['none'] },
  security_summary: orNull(text(5000)),
  cve_links: orNull(list(500, 'https://cve.example/1')),
  'cve_links.0': address,
}
const syncedProjects: Record<string, Values> = {
  'projects.0': { ok: [], bad: [null, 'x', 5, true, []] },
  'projects.0.name': required(words(200)),
  'projects.0.description': text(5000),
  'projects.0.category': text(100),
  'projects.0.cncf_status': choice(...statuses),
  'projects.0.homepage': address,
  'projects.0.docs_url': orNull(address),
  'projects.0.repo_url': address,
  'projects.0.helm_chart_repo': orNull(address),
  'projects.0.logo_url': orNull(address),
  cleanup_removed: boolean,
  // Last: with so many projects in the store, each sync after it takes long.
  projects: required(list(5000, (index: number) => ({ name: `p${index}` }))),
}

export const catalogTable: Table<CatalogRoute> = {
  listProjects: {
    good: () => ({}),
    query: {
      ...paging,
      search: inQuery.line(200),
      cncf_status: inQuery.choice(...statuses),
      include_releases: inQuery.flag,
    },
    answer: toPage(project),
    more: [{ call: () => ({ query: { include_releases: 'true' } }), answer: toPage({ ...project, releases }) }],
  },
  getProject: oneProject,
  getProduct: oneProject,
  listReleases: {
    good: () => ({ params: { id: 1 } }),
    query: { ...paging, type: inQuery.choice(...types) },
    answer: toPage(releaseItem),
  },
  getStats: {
    good: () => ({}),
    answer: {
      success: 'true',
      total_projects: 'integer',
      total_releases: 'integer',
      total_security_fixes: 'integer',
      releases_last_7d: 'integer',
      releases_last_30d: 'integer',
      releases_last_90d: 'integer',
      // Beyond the contract.
      catalog_date: /^\d{4}-\d\d-\d\d$/,
      stale_projects: 'integer',
    },
  },
  getRecentReleases: {
    good: () => ({}),
    query: { limit: inQuery.whole(1, 20), category: inQuery.line(100), security_only: inQuery.flag },
    answer: { success: 'true', releases: [recentRelease] },
  },
  getPopularProjects: {
    good: () => ({}),
    query: { limit: inQuery.whole(1, 50) },
    answer: { success: 'true', projects: [popularProject] },
  },
  addRelease: {
    good: () => ({ body: { product_id: 1, version: 'v9.9.9', type: 'app' } }),
    body: newRelease,
    answer: { success: 'true', release_id: 'integer', created: 'boolean' },
  },
  syncProjects: {
    good: () => ({ body: { projects: [{ name: 'Shop' }] } }),
    body: syncedProjects,
    answer: { success: 'true', created: 'integer', updated: 'integer', removed: 'integer' },
  },
  listExistingReleases: {
    good: () => ({}),
    query: {
      product_id: inQuery.whole(1, Number.MAX_SAFE_INTEGER),
      page: inQuery.whole(1, 1_000_000),
      per_page: inQuery.whole(1, 100_000),
    },
    answer: {
      success: 'true',
      releases: [{ product_id: 'integer', version: 'string', type: releaseType }],
      // Beyond the contract.
      page: 'integer',
      per_page: 'integer',
      total: 'integer',
      total_pages: 'integer',
    },
  },
}
