import type * as z from 'zod/mini'
import { reasonOf } from '../contract/reason.ts'
import type { RouteAnswer, RouteName, Routes } from '../contract/routes.ts'
import type { Db } from '../db/open.ts'
import { inTransaction } from '../db/transaction.ts'
import { invalidParams, missingParams, ReltError } from '../errors.ts'
import { withCurrentKeys } from '../operations/stale-key.ts'
import type { User } from '../store/user.ts'
import { checkReportText, checkText } from '../util/check-text.ts'
import { checkAccess } from './access.ts'
import type { Service } from './service.ts'

/** A request as every transport brings it: values as they came, not yet checked. */
export interface Request {
  params?: unknown
  query?: unknown
  body?: unknown
  /** The report of an upload: it is kept as text, so it travels beside the body. */
  report?: Uint8Array
  idempotencyKey?: string | undefined
  user: User | undefined
  /** Of the transport; kept in the audit. */
  requestId?: string | undefined
  /** Base address of the interface, as the caller reached it; none where this process answers. */
  server?: string | undefined
}

export interface HandlerContext extends Omit<Service, 'now'> {
  now: number
}

/** A request whose values have the shapes of the contract. */
export interface Checked<N extends RouteName> {
  params: z.output<Routes[N]['params']>
  query: z.output<Routes[N]['query']>
  body: Routes[N] extends { body: infer B extends z.ZodMiniObject } ? z.output<B> : undefined
  report: Uint8Array | undefined
  idempotencyKey: string | undefined
  server: string | undefined
  /** Routes that are not public have a user. */
  user: Routes[N]['access'] extends 'public' ? User | undefined : User
}

export type Handlers<N extends RouteName> = {
  [K in N]: (context: HandlerContext, request: Checked<K>) => Promise<HandlerResult<K>>
}

/** A change that the audit records is made in the transaction that writes the audit entry. */
export type Change<A> = (trx: Db) => Promise<A>

type HandlerResult<K extends RouteName> = Routes[K] extends { audit: string; method: 'POST' | 'PUT' | 'DELETE' }
  ? Change<RouteAnswer<K>>
  : RouteAnswer<K>

/** Some of the table's routes, and what answers them. */
interface Noun<N extends RouteName> {
  routes: Pick<Routes, N>
  handlers: Handlers<N>
}

const apiKeys = once(async () => ({
  routes: (await import('../contract/routes/api-key.ts')).apiKeyRoutes,
  handlers: (await import('./handlers/api-key.ts')).apiKeyHandlers,
}))
const clusterConfigs = once(async () => ({
  routes: (await import('../contract/routes/cluster-config.ts')).clusterConfigRoutes,
  handlers: (await import('./handlers/cluster-config.ts')).clusterConfigHandlers,
}))
const clusterReports = once(async () => ({
  routes: (await import('../contract/routes/cluster-report.ts')).clusterReportRoutes,
  handlers: (await import('./handlers/cluster-report.ts')).clusterReportHandlers,
}))
const impact = once(async () => ({
  routes: (await import('../contract/routes/impact.ts')).impactRoutes,
  handlers: (await import('./handlers/impact.ts')).impactHandlers,
}))
const labels = once(async () => ({
  routes: (await import('../contract/routes/label.ts')).labelRoutes,
  handlers: (await import('./handlers/label.ts')).labelHandlers,
}))
const notifications = once(async () => ({
  routes: (await import('../contract/routes/subscription.ts')).subscriptionRoutes,
  handlers: (await import('./handlers/notification.ts')).notificationHandlers,
}))
const projects = once(async () => ({
  routes: (await import('../contract/routes/catalog.ts')).catalogRoutes,
  handlers: (await import('./handlers/project.ts')).projectHandlers,
}))
const releases = once(async () => ({
  routes: (await import('../contract/routes/catalog.ts')).catalogRoutes,
  handlers: (await import('./handlers/release.ts')).releaseHandlers,
}))
const subscriptions = once(async () => ({
  routes: (await import('../contract/routes/subscription.ts')).subscriptionRoutes,
  handlers: (await import('./handlers/subscription.ts')).subscriptionHandlers,
}))

/** A noun loads, shapes and all, when one of its routes is called first: a command pays for what it uses. */
const nouns: { [N in RouteName]: () => Promise<Noun<N>> } = {
  listProjects: projects,
  getProject: projects,
  getProduct: projects,
  listReleases: projects,
  getStats: projects,

  getRecentReleases: releases,
  getPopularProjects: releases,
  addRelease: releases,
  syncProjects: releases,
  listExistingReleases: releases,

  uploadReport: clusterReports,
  listReports: clusterReports,
  compareReports: clusterReports,
  reportTrends: clusterReports,
  getReport: clusterReports,
  reportFreshness: clusterReports,
  deleteReport: clusterReports,

  getImpact: impact,

  getMySubscriptions: subscriptions,
  listSubscriptions: subscriptions,
  getFeed: subscriptions,
  getDashboard: subscriptions,
  getDashboardActivity: subscriptions,
  getDashboardLogs: subscriptions,
  toggleSubscription: subscriptions,
  updateSettings: subscriptions,
  updateAccountSettings: subscriptions,

  testNotification: notifications,
  sendTestNotification: notifications,
  triggerDigest: notifications,

  listLabels: labels,
  createLabel: labels,
  updateLabel: labels,
  deleteLabel: labels,
  attachLabels: labels,
  detachLabel: labels,

  listKeys: apiKeys,
  getCurrentKey: apiKeys,
  createKey: apiKeys,
  revokeKey: apiKeys,

  listConfigs: clusterConfigs,
  createConfig: clusterConfigs,
  getConfig: clusterConfigs,
  updateConfig: clusterConfigs,
  deleteConfig: clusterConfigs,
  getConfigCommand: clusterConfigs,
  getConfigFile: clusterConfigs,
  listBootstrapCandidates: clusterConfigs,
  bootstrapConfigs: clusterConfigs,
}

/** Importing again what is loaded takes as long as a small query. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}

/** The one way into the service, whatever the transport: access, shapes, then the route. Throws `ReltError`. */
export async function invoke<N extends RouteName>(
  service: Service,
  name: N,
  request: Request,
): Promise<RouteAnswer<N>> {
  const { routes, handlers } = await nouns[name]()
  const route = routes[name]
  checkAccess(route, request.user, service.plans)
  // A path cannot be wrong so: an id that is none is not found.
  checkText(request.query)
  checkText(request.body)
  if (request.report) checkReportText(request.report)
  const checked = {
    params: check(route.params, request.params ?? {}),
    query: check(route.query, request.query ?? {}),
    body: 'body' in route ? check(route.body, request.body === undefined ? {} : request.body) : undefined,
    report: request.report,
    idempotencyKey: request.idempotencyKey,
    server: request.server,
    user: request.user,
  }
  const { db, vault, plans } = service
  const context = { db, vault, plans, now: service.now() }
  return withCurrentKeys(vault, async () => {
    const result = await handlers[name](context, checked as unknown as Checked<N>)
    if (!('audit' in route)) return result as RouteAnswer<N>
    const { recordAudit } = await import('../store/audit.ts')
    const { user, requestId } = request
    const record = (trx: Db, answer: object) => {
      const subject = subjectOf(checked.params, answer)
      return recordAudit(trx, { at: context.now, user, action: route.audit, subject, requestId })
    }
    if (typeof result === 'function') {
      return inTransaction(db, async (trx) => {
        const answer = await (result as Change<RouteAnswer<N>>)(trx)
        await record(trx, answer)
        return answer
      })
    }
    await record(db, result).catch(allowReadOnly)
    return result as RouteAnswer<N>
  })
}

/** A store on a read-only disk can still be read. */
function allowReadOnly(error: unknown): void {
  if (!(error instanceof ReltError) || error.code !== 'store_read_only') throw error
}

/** Throws when this user may not call the route at all; what is sent along does not matter yet. */
export async function requireAccess<N extends RouteName>(
  { plans }: Service,
  name: N,
  user: User | undefined,
): Promise<void> {
  const { routes } = await nouns[name]()
  checkAccess(routes[name], user, plans)
}

const subjectNames = ['run_id', 'config_id', 'uuid', 'release_id'] as const

/** What a call was about: named in its path, else in its answer. Of a comparison: the run it looks at. */
function subjectOf(params: unknown, answer: object): string | undefined {
  const { item, to } = answer as Record<string, unknown>
  for (const part of [params, answer, item, to]) {
    for (const name of subjectNames) {
      const id = (part as Record<string, unknown> | undefined)?.[name]
      if (id !== undefined) return String(id)
    }
  }
  return undefined
}

function check(schema: z.ZodMiniObject, value: unknown): unknown {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const problems: Record<string, string> = {}
  let missing = true
  for (const issue of result.error.issues) {
    problems[issue.path.join('.') || 'body'] ??= reasonOf(issue)
    if (issue.input !== undefined) missing = false
  }
  throw missing ? missingParams(problems) : invalidParams(problems)
}
