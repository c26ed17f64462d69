import type { catalogRoutes } from '../../../src/contract/routes/catalog.ts'
import { about, at, recentRelease, release, toPage } from './shared.ts'

const { id, product_id, version, type, release_notes, url, published_at, has_security_fix } = release

const releaseItem = {
  ...{ id, product_id, version, type, release_notes, url, published_at, has_security_fix },
  security_severity: release.security_severity,
  chart_name: null,
}
const project = {
  id: 7,
  slug: 'argo-cd',
  ...about,
  updated_at: at,
  latest_version: 'v3.5.2',
  latest_published_at: at,
}
const product = {
  product: { id: 7, slug: 'argo-cd', ...about, releases: { app: [release], helm: [], pre: [] } },
}
const oneProject = { params: { id: 7 }, answer: product }

export const catalogExamples: Record<keyof typeof catalogRoutes, { answer: object }> = {
  listProjects: { answer: toPage(project) },
  getProject: oneProject,
  getProduct: oneProject,
  listReleases: { answer: toPage(releaseItem) },
  getStats: {
    answer: {
      ...{ success: true, total_projects: 400, total_releases: 12000, total_security_fixes: 800, stale_projects: 2 },
      ...{ releases_last_7d: 60, releases_last_30d: 240, releases_last_90d: 700, catalog_date: '2026-11-20' },
    },
  },
  getRecentReleases: { answer: { success: true, releases: [recentRelease] } },
  getPopularProjects: {
    answer: {
      success: true,
      projects: [
        {
          ...{ id: 7, name: 'Argo CD', category: about.category, cncf_status: 'graduated', logo_url: null },
          ...{ repo_url: about.repo_url, subscriber_count: 12, last_release_at: at, releases_30d: 3 },
        },
      ],
    },
  },
  addRelease: {
    answer: { success: true, release_id: 901, created: true },
  },
  syncProjects: {
    answer: { success: true, created: 1, updated: 0, removed: 0 },
  },
  listExistingReleases: {
    answer: {
      success: true,
      releases: [{ product_id: 7, version, type }],
      ...{ page: 1, per_page: 100_000, total: 1, total_pages: 1 },
    },
  },
}
