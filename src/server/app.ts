import type * as z from 'zod/mini'
import { type RouteAnswer, type RouteName, type Routes, routes } from '../contract/routes.ts'
import type { Db } from '../db/open.ts'
import { invalidParams, missingParams, ReltError } from '../errors.ts'
import type { Vault } from '../services/vault.ts'
import type { User } from '../store/user.ts'

export interface Service {
  db: Db
  vault: () => Promise<Vault>
  /** Unix seconds. */
  now: () => number
}

/** A request as every transport brings it: values as they came, not yet checked. */
export interface Request {
  params?: unknown
  query?: unknown
  body?: unknown
  /** The report of an upload: it is kept as text, so it travels beside the body. */
  report?: Uint8Array
  idempotencyKey?: string | undefined
  user: User | undefined
}

export interface HandlerContext {
  db: Db
  vault: () => Promise<Vault>
  now: number
}

/** A request whose values have the shapes of the contract. */
export interface Checked<N extends RouteName> {
  params: z.output<Routes[N]['params']>
  query: z.output<Routes[N]['query']>
  body: Routes[N] extends { body: infer B extends z.ZodMiniObject } ? z.output<B> : undefined
  report: Uint8Array | undefined
  idempotencyKey: string | undefined
  /** Routes that are not public have a user. */
  user: Routes[N]['access'] extends 'public' ? User | undefined : User
}

export type Handlers<N extends RouteName> = {
  [K in N]: (context: HandlerContext, request: Checked<K>) => Promise<RouteAnswer<K>>
}

const projects = async () => (await import('./routes/project.ts')).projectHandlers
const clusterReports = async () => (await import('./routes/cluster-report.ts')).clusterReportHandlers

/** A noun's routes load when one of them is called first: looking up a project needs no cryptography. */
const handlers: { [N in RouteName]: () => Promise<Handlers<N>> } = {
  listProjects: projects,
  getProject: projects,
  listReleases: projects,
  getStats: projects,
  uploadReport: clusterReports,
  listReports: clusterReports,
  compareReports: clusterReports,
  reportTrends: clusterReports,
  getReport: clusterReports,
  reportFreshness: clusterReports,
  deleteReport: clusterReports,
}

/** The one way into the service, whatever the transport: access, shapes, then the route. Throws `ReltError`. */
export async function invoke<N extends RouteName>(
  service: Service,
  name: N,
  request: Request,
): Promise<RouteAnswer<N>> {
  const route = routes[name]
  checkAccess(route.access, request.user)
  const checked = {
    params: check(route.params, request.params ?? {}),
    query: check(route.query, request.query ?? {}),
    body: 'body' in route ? check(route.body, request.body ?? {}) : undefined,
    report: request.report,
    idempotencyKey: request.idempotencyKey,
    user: request.user,
  }
  const context = { db: service.db, vault: service.vault, now: service.now() }
  return (await handlers[name]())[name](context, checked as unknown as Checked<N>)
}

function checkAccess(access: Routes[RouteName]['access'], user: User | undefined): void {
  if (access === 'public') return
  if (!user) throw new ReltError('unauthenticated', 'Authentication is required.')
  if (user.plan === 'free') throw new ReltError('forbidden', 'API access requires a Pro plan.')
}

function check(schema: z.ZodMiniObject, value: unknown): unknown {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const problems: Record<string, string> = {}
  let missing = true
  for (const issue of result.error.issues) {
    problems[issue.path.join('.') || 'body'] ??= issue.message
    if (!(issue.code === 'invalid_type' && issue.input === undefined)) missing = false
  }
  throw missing ? missingParams(problems) : invalidParams(problems)
}
