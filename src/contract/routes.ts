import * as z from 'zod/mini'
import { ApiKey, ApiKeyInput } from './api-key.ts'
import {
  BootstrapCandidate,
  ClusterConfig,
  ClusterConfigChange,
  ClusterConfigInput,
  ConfigFile,
  ScanCommand,
} from './cluster-config.ts'
import { Comparison, Freshness, ReportEnvelope, Run, Trends, UploadResult } from './cluster-report.ts'
import { Label, LabelInput } from './label.ts'
import {
  CncfStatus,
  NewRelease,
  Project,
  ProjectDetail,
  ProjectSync,
  ReleaseItem,
  ReleaseType,
  Stats,
} from './project.ts'
import { flag, Id, page, pageOf, perPage, requiredText, text, whole } from './shape.ts'
import {
  AccountSettings,
  Channel,
  Dashboard,
  DeliveryLog,
  FeedItem,
  PopularProject,
  RecentRelease,
  Subscription,
  SubscriptionSettings,
  TestResult,
} from './subscription.ts'

/**
 * Every route once. Server, client and documentation read this table; paths are relative to the base address.
 * `public`: anyone; `user`: whoever is signed in; `pro`: with plan Pro or Pro Plus; `admin`: with that role.
 */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  access: 'public' | 'user' | 'pro' | 'admin'
  params: z.ZodMiniObject
  query: z.ZodMiniObject
  /** Of an upload: what surrounds the report. */
  body?: z.ZodMiniObject
  answer: z.ZodMiniType
  /** Of success, when it is not 200. */
  status?: number
  /** Under which name a call is kept in the audit. */
  audit?: string
  /** Beyond the published interface. */
  extension?: true
}

const none = z.object({})
const projectId = z.object({ id: z.string() })
const runId = z.object({ run_id: z.string() })
const Success = z.object({ success: z.literal(true) })

const labelId = z.object({ id: z.string() })
const configId = z.object({ config_id: z.string() })
const days = z._default(whole({ min: 1, max: 365 }), 7)

const oneCluster = {
  cluster_name: z.optional(text(253)),
  environment: z.optional(text(100)),
}

const notificationTest = {
  method: 'POST',
  access: 'user',
  params: none,
  query: none,
  body: z.object({ subscription_id: z.optional(z.int()), channel: z.optional(Channel) }),
  answer: z.object({ success: z.literal(true), results: z.array(TestResult) }),
} as const

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
    status: 201,
    audit: 'report.upload',
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
    audit: 'report.compare',
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
    audit: 'report.read',
  },
  reportFreshness: {
    method: 'GET',
    path: '/cluster-reports/{run_id}/freshness',
    access: 'pro',
    params: runId,
    /** `explain` is an extension: each item then carries its candidates. */
    query: z.object({ explain: z._default(flag, false) }),
    answer: Freshness,
    audit: 'report.freshness',
  },
  deleteReport: {
    method: 'DELETE',
    path: '/cluster-reports/{run_id}',
    access: 'pro',
    params: runId,
    query: none,
    answer: Success,
    audit: 'report.delete',
    extension: true,
  },

  getProduct: {
    method: 'GET',
    path: '/product/{id}',
    access: 'public',
    params: projectId,
    query: none,
    answer: z.object({ product: ProjectDetail }),
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
  },
  getPopularProjects: {
    method: 'GET',
    path: '/popular-projects',
    access: 'public',
    params: none,
    query: z.object({ limit: z._default(whole({ min: 1, max: 50 }), 10) }),
    answer: z.object({ success: z.literal(true), projects: z.array(PopularProject) }),
  },
  addRelease: {
    method: 'POST',
    path: '/add-release',
    access: 'admin',
    params: none,
    query: none,
    body: NewRelease,
    answer: z.object({ success: z.literal(true), release_id: Id, created: z.boolean() }),
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
    audit: 'project.sync',
  },
  listExistingReleases: {
    method: 'GET',
    path: '/existing-releases',
    access: 'admin',
    params: none,
    query: z.object({ product_id: z.optional(whole({ min: 1, max: Number.MAX_SAFE_INTEGER })) }),
    answer: z.object({
      success: z.literal(true),
      releases: z.array(z.object({ product_id: Id, version: z.string(), type: ReleaseType })),
    }),
  },

  getMySubscriptions: {
    method: 'GET',
    path: '/my-subscriptions',
    access: 'public',
    params: none,
    query: none,
    answer: z.object({ subscribed_ids: z.array(Id) }),
  },
  listSubscriptions: {
    method: 'GET',
    path: '/subscriptions',
    access: 'user',
    params: none,
    query: none,
    answer: z.object({ success: z.literal(true), subscriptions: z.array(Subscription), subscription_count: z.int() }),
  },
  getFeed: {
    method: 'GET',
    path: '/feed',
    access: 'user',
    params: none,
    query: z.object({ days }),
    answer: z.object({ success: z.literal(true), releases: z.array(FeedItem) }),
  },
  getDashboard: { method: 'GET', path: '/dashboard', access: 'user', params: none, query: none, answer: Dashboard },
  getDashboardActivity: {
    method: 'GET',
    path: '/dashboard-activity',
    access: 'user',
    params: none,
    query: z.object({ days }),
    answer: z.object({ success: z.literal(true), days: z.int(), releases: z.array(RecentRelease) }),
  },
  getDashboardLogs: {
    method: 'GET',
    path: '/dashboard-logs',
    access: 'user',
    params: none,
    query: z.object({ limit: z._default(whole({ min: 1, max: 100 }), 8) }),
    answer: z.object({ success: z.literal(true), logs: z.array(DeliveryLog) }),
  },
  toggleSubscription: {
    method: 'POST',
    path: '/toggle-sub',
    access: 'user',
    params: none,
    query: none,
    body: z.object({ product_id: z.int() }),
    answer: z.object({ success: z.literal(true), subscribed: z.boolean(), subscription_id: Id }),
  },
  updateSettings: {
    method: 'POST',
    path: '/update-settings',
    access: 'user',
    params: none,
    query: none,
    body: SubscriptionSettings,
    answer: Success,
  },
  updateAccountSettings: {
    method: 'PUT',
    path: '/account/settings',
    access: 'user',
    params: none,
    query: none,
    body: AccountSettings,
    answer: Success,
    extension: true,
  },
  testNotification: { ...notificationTest, path: '/test-notification' },
  sendTestNotification: { ...notificationTest, path: '/send-test-notification' },
  triggerDigest: {
    method: 'POST',
    path: '/trigger-digest-email',
    access: 'user',
    params: none,
    query: none,
    body: z.object({ frequency: z._default(z.enum(['daily', 'weekly']), 'daily') }),
    answer: z.object({ success: z.literal(true), sent: z.boolean(), releases: z.int() }),
  },

  listLabels: {
    method: 'GET',
    path: '/labels',
    access: 'pro',
    params: none,
    query: none,
    answer: z.object({ labels: z.array(Label) }),
  },
  createLabel: {
    method: 'POST',
    path: '/labels',
    access: 'pro',
    params: none,
    query: none,
    body: LabelInput,
    answer: z.object({ success: z.literal(true), label_id: Id }),
  },
  updateLabel: {
    method: 'PUT',
    path: '/labels/{id}',
    access: 'pro',
    params: labelId,
    query: none,
    body: LabelInput,
    answer: Success,
  },
  deleteLabel: { method: 'DELETE', path: '/labels/{id}', access: 'pro', params: labelId, query: none, answer: Success },
  attachLabels: {
    method: 'POST',
    path: '/subscriptions/{subscription_id}/labels',
    access: 'pro',
    params: z.object({ subscription_id: z.string() }),
    query: none,
    body: z.object({ label_ids: z.array(z.int()).check(z.maxLength(100)) }),
    answer: Success,
  },
  detachLabel: {
    method: 'DELETE',
    path: '/subscriptions/{subscription_id}/labels/{label_id}',
    access: 'pro',
    params: z.object({ subscription_id: z.string(), label_id: z.string() }),
    query: none,
    answer: Success,
  },

  listKeys: {
    method: 'GET',
    path: '/api-keys',
    access: 'pro',
    params: none,
    query: none,
    answer: z.object({ keys: z.array(ApiKey), limit: z.int(), count: z.int(), remaining: z.int() }),
  },
  createKey: {
    method: 'POST',
    path: '/api-keys',
    access: 'pro',
    params: none,
    query: none,
    body: ApiKeyInput,
    answer: z.object({ success: z.literal(true), password: z.string(), item: ApiKey }),
    audit: 'key.create',
  },
  revokeKey: {
    method: 'DELETE',
    path: '/api-keys/{uuid}',
    access: 'pro',
    params: z.object({ uuid: z.string() }),
    query: none,
    answer: Success,
    audit: 'key.revoke',
  },

  listConfigs: {
    method: 'GET',
    path: '/cluster-configs',
    access: 'pro',
    params: none,
    query: none,
    answer: z.object({ success: z.literal(true), items: z.array(ClusterConfig), total: z.int() }),
  },
  createConfig: {
    method: 'POST',
    path: '/cluster-configs',
    access: 'pro',
    params: none,
    query: none,
    body: ClusterConfigInput,
    answer: z.extend(ClusterConfig, { success: z.literal(true) }),
    audit: 'config.create',
  },
  listBootstrapCandidates: {
    method: 'GET',
    path: '/cluster-configs/bootstrap-candidates',
    access: 'pro',
    params: none,
    query: none,
    answer: z.object({ success: z.literal(true), candidates: z.array(BootstrapCandidate) }),
  },
  bootstrapConfigs: {
    method: 'POST',
    path: '/cluster-configs/bootstrap-from-reports',
    access: 'pro',
    params: none,
    query: none,
    body: z.object({
      cluster_names: z.optional(z.array(requiredText(253)).check(z.maxLength(1000))),
      environment: z.optional(text(100)),
    }),
    answer: z.object({
      success: z.literal(true),
      created: z.array(ClusterConfig),
      skipped: z.array(z.object({ cluster_name: z.string(), reason: z.string() })),
    }),
    audit: 'config.bootstrap',
  },
  getConfig: {
    method: 'GET',
    path: '/cluster-configs/{config_id}',
    access: 'pro',
    params: configId,
    query: none,
    answer: ClusterConfig,
    audit: 'config.read',
  },
  updateConfig: {
    method: 'PUT',
    path: '/cluster-configs/{config_id}',
    access: 'pro',
    params: configId,
    query: none,
    body: ClusterConfigChange,
    answer: z.extend(ClusterConfig, { success: z.literal(true) }),
    audit: 'config.update',
  },
  deleteConfig: {
    method: 'DELETE',
    path: '/cluster-configs/{config_id}',
    access: 'pro',
    params: configId,
    query: none,
    answer: Success,
    audit: 'config.delete',
  },
  getConfigCommand: {
    method: 'GET',
    path: '/cluster-configs/{config_id}/command',
    access: 'pro',
    params: configId,
    query: none,
    answer: ScanCommand,
  },
  getConfigFile: {
    method: 'GET',
    path: '/cluster-configs/{config_id}/config-file',
    access: 'pro',
    params: configId,
    query: none,
    answer: ConfigFile,
  },
} as const satisfies Record<string, Route>

export type Routes = typeof routes
export type RouteName = keyof Routes

/** What a caller gives: defaults may be left out; an upload carries its report as JSON text. */
export type RouteInput<N extends RouteName> = {
  params?: z.input<Routes[N]['params']>
  query?: z.input<Routes[N]['query']>
} & (Routes[N] extends { body: infer B extends z.ZodMiniObject } ? { body: z.input<B> } : unknown) &
  (N extends 'uploadReport' ? { report: Uint8Array; idempotencyKey?: string | undefined } : unknown)

export type RouteAnswer<N extends RouteName> = z.output<Routes[N]['answer']>
