import * as z from 'zod/mini'
import { Comparison, Freshness, ReportEnvelope, Run, Trends, UploadResult } from './cluster-report.ts'
import { CncfStatus, Project, ProjectDetail, ReleaseItem, ReleaseType, Stats } from './project.ts'
import { flag, page, pageOf, perPage, text, whole } from './shape.ts'

/**
 * Every route once. Server, client and documentation read this table; paths are relative to the base address.
 * `public`: anyone; `pro`: the caller needs plan Pro or Pro Plus.
 */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  access: 'public' | 'pro'
  params: z.ZodMiniObject
  query: z.ZodMiniObject
  /** What surrounds the report, where the body is an upload. */
  body?: z.ZodMiniObject
  answer: z.ZodMiniType
}

const none = z.object({})
const projectId = z.object({ id: z.string() })
const runId = z.object({ run_id: z.string() })
const Success = z.object({ success: z.literal(true) })

const oneCluster = {
  cluster_name: z.optional(text(253)),
  environment: z.optional(text(100)),
}

export const routes = {
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
  },
  getProject: {
    method: 'GET',
    path: '/projects/{id}',
    access: 'public',
    params: projectId,
    query: none,
    answer: z.object({ product: ProjectDetail }),
  },
  listReleases: {
    method: 'GET',
    path: '/projects/{id}/releases',
    access: 'public',
    params: projectId,
    query: z.object({ type: z._default(ReleaseType, 'app'), page, per_page: perPage }),
    answer: pageOf(ReleaseItem),
  },
  getStats: { method: 'GET', path: '/stats', access: 'public', params: none, query: none, answer: Stats },
  uploadReport: {
    method: 'POST',
    path: '/cluster-reports',
    access: 'pro',
    params: none,
    query: none,
    body: ReportEnvelope,
    answer: UploadResult,
  },
  listReports: {
    method: 'GET',
    path: '/cluster-reports',
    access: 'pro',
    params: none,
    query: z.object({ ...oneCluster, page, per_page: perPage }),
    answer: pageOf(Run),
  },
  compareReports: {
    method: 'GET',
    path: '/cluster-reports/compare',
    access: 'pro',
    params: none,
    query: z.object({ ...oneCluster, from_run_id: z.optional(text(100)), to_run_id: z.optional(text(100)) }),
    answer: Comparison,
  },
  reportTrends: {
    method: 'GET',
    path: '/cluster-reports/trends',
    access: 'pro',
    params: none,
    query: z.object({
      ...oneCluster,
      window_days: z._default(whole({ min: 1, max: 365 }), 30),
      group_by_cluster: z._default(flag, false),
    }),
    answer: Trends,
  },
  getReport: {
    method: 'GET',
    path: '/cluster-reports/{run_id}',
    access: 'pro',
    params: runId,
    query: z.object({ include_report: z._default(flag, false) }),
    answer: Run,
  },
  reportFreshness: {
    method: 'GET',
    path: '/cluster-reports/{run_id}/freshness',
    access: 'pro',
    params: runId,
    /** `explain` is an extension: each item then carries its candidates. */
    query: z.object({ explain: z._default(flag, false) }),
    answer: Freshness,
  },
  deleteReport: {
    method: 'DELETE',
    path: '/cluster-reports/{run_id}',
    access: 'pro',
    params: runId,
    query: none,
    answer: Success,
  },
} as const satisfies Record<string, Route>

export type Routes = typeof routes
export type RouteName = keyof Routes

/** What a caller gives: defaults may be left out; an upload carries its report as JSON text. */
export type RouteInput<N extends RouteName> = {
  params?: z.input<Routes[N]['params']>
  query?: z.input<Routes[N]['query']>
} & (Routes[N] extends { body: infer B extends z.ZodMiniObject }
  ? { body: z.input<B>; report: Uint8Array; idempotencyKey?: string | undefined }
  : unknown)

export type RouteAnswer<N extends RouteName> = z.output<Routes[N]['answer']>
