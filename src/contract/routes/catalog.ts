import * as z from 'zod/mini'
import {
  CncfStatus,
  NewRelease,
  PopularProject,
  Project,
  ProjectDetail,
  ProjectSync,
  RecentRelease,
  ReleaseItem,
  ReleaseType,
  Stats,
} from '../project.ts'
import { none, type Route } from '../route.ts'
import { flag, Id, idInPath, page, pageOf, perPage, text, whole } from '../shape.ts'

const projectId = z.object({ id: idInPath })

const OneProject = z.object({ product: ProjectDetail })

export const catalogRoutes = {
  listProjects: {
    method: 'GET',
    path: '/projects',
    access: 'public',
    params: none,
    query: z.object({
      page,
      per_page: perPage,
      search: z.optional(text(200)),
      cncf_status: z.optional(CncfStatus),
      include_releases: z._default(flag, false),
    }),
    answer: pageOf(Project),
    received: async () => (await import('../received/catalog.ts')).ProjectPage,
  },
  getProject: {
    method: 'GET',
    path: '/projects/{id}',
    access: 'public',
    params: projectId,
    query: none,
    answer: OneProject,
    received: async () => (await import('../received/catalog.ts')).Product,
  },
  listReleases: {
    method: 'GET',
    path: '/projects/{id}/releases',
    access: 'public',
    params: projectId,
    query: z.object({ type: z._default(ReleaseType, 'app'), page, per_page: perPage }),
    answer: pageOf(ReleaseItem),
    received: async () => (await import('../received/catalog.ts')).ReleasePage,
  },
  getStats: {
    method: 'GET',
    path: '/stats',
    access: 'public',
    params: none,
    query: none,
    answer: Stats,
    received: async () => (await import('../received/catalog.ts')).Stats,
  },
  getProduct: {
    method: 'GET',
    path: '/product/{id}',
    access: 'public',
    params: projectId,
    query: none,
    answer: OneProject,
    received: async () => (await import('../received/catalog.ts')).Product,
  },
  getRecentReleases: {
    method: 'GET',
    path: '/recent-releases',
    access: 'public',
    params: none,
    query: z.object({
      limit: z._default(whole({ min: 1, max: 20 }), 2),
      category: z.optional(text(100)),
      security_only: z._default(flag, false),
    }),
    answer: z.object({ success: z.literal(true), releases: z.array(RecentRelease) }),
    received: async () => (await import('../received/catalog.ts')).RecentReleases,
  },
  getPopularProjects: {
    method: 'GET',
    path: '/popular-projects',
    access: 'public',
    params: none,
    query: z.object({ limit: z._default(whole({ min: 1, max: 50 }), 10) }),
    answer: z.object({ success: z.literal(true), projects: z.array(PopularProject) }),
    received: async () => (await import('../received/catalog.ts')).PopularProjects,
  },
  addRelease: {
    method: 'POST',
    path: '/add-release',
    access: 'admin',
    params: none,
    query: none,
    body: NewRelease,
    answer: z.object({ success: z.literal(true), release_id: Id, created: z.boolean() }),
    received: async () => (await import('../received/catalog.ts')).AddedRelease,
    audit: 'release.add',
  },
  syncProjects: {
    method: 'POST',
    path: '/sync-projects',
    access: 'admin',
    params: none,
    query: none,
    body: ProjectSync,
    answer: z.object({ success: z.literal(true), created: z.int(), updated: z.int(), removed: z.int() }),
    received: async () => (await import('../received/catalog.ts')).SyncedProjects,
    audit: 'project.sync',
  },
  listExistingReleases: {
    method: 'GET',
    path: '/existing-releases',
    access: 'admin',
    params: none,
    /** Paging is beyond the interface: a page holds whole catalogs, and still ends. */
    query: z.object({
      product_id: z.optional(whole({ min: 1, max: Number.MAX_SAFE_INTEGER })),
      page,
      per_page: z._default(whole({ min: 1, max: 100_000 }), 100_000),
    }),
    answer: z.object({
      success: z.literal(true),
      releases: z.array(z.object({ product_id: Id, version: z.string(), type: ReleaseType })),
      page: z.int(),
      per_page: z.int(),
      total: z.int(),
      total_pages: z.int(),
    }),
    received: async () => (await import('../received/catalog.ts')).ExistingReleases,
  },
} as const satisfies Record<string, Route>
