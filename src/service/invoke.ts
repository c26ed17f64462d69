import type * as z from 'zod/mini'
import { loadRoute } from '../contract/load-route.ts'
import { type RouteNoun, toNoun } from '../contract/nouns.ts'
import { reasonFor } from '../contract/reason.ts'
import type { Route } from '../contract/route.ts'
import type { RouteAnswer, RouteName } from '../contract/routes.ts'
import type { Db } from '../db/open.ts'
import { write } from '../db/transaction.ts'
import { insteadOf, invalidParams, missingParams } from '../errors.ts'
import { withCurrentKeys } from '../operations/keys/stale-key.ts'
import { checkReportText, checkText } from '../util/check-text.ts'
import { kept } from '../util/remember.ts'
import { accountFor, checkAccess, resolveOwner } from './access.ts'
import type { Change, HandlerContext, Handlers, Request } from './handler.ts'
import type { Service } from './service.ts'

/** Handlers of the routes of each noun. */
const handlers: { [K in RouteNoun]: () => Promise<Handlers<K>> } = {
  project: async () => (await import('./handlers/catalog/project.ts')).projectHandlers,
  release: async () => (await import('./handlers/catalog/release.ts')).releaseHandlers,
  'cluster-report': async () => (await import('./handlers/runs/cluster-report.ts')).clusterReportHandlers,
  finding: async () => (await import('./handlers/findings/finding.ts')).findingHandlers,
  owners: async () => (await import('./handlers/findings/owners.ts')).ownersHandlers,
  'gate-baseline': async () => (await import('./handlers/findings/gate-baseline.ts')).gateBaselineHandlers,
  'gate-policy': async () => (await import('./handlers/findings/gate-policy.ts')).gatePolicyHandlers,
  exception: async () => (await import('./handlers/findings/exception.ts')).exceptionHandlers,
  cluster: async () => (await import('./handlers/fleet/cluster.ts')).clusterHandlers,
  team: async () => (await import('./handlers/accounts/team.ts')).teamHandlers,
  impact: async () => (await import('./handlers/freshness/impact.ts')).impactHandlers,
  upgrade: async () => (await import('./handlers/freshness/upgrade.ts')).upgradeHandlers,
  subscription: async () => (await import('./handlers/notifications/subscription.ts')).subscriptionHandlers,
  notification: async () => (await import('./handlers/notifications/notification.ts')).notificationHandlers,
  delivery: async () => (await import('./handlers/notifications/delivery.ts')).deliveryHandlers,
  label: async () => (await import('./handlers/notifications/label.ts')).labelHandlers,
  'api-key': async () => (await import('./handlers/accounts/api-key.ts')).apiKeyHandlers,
  'cluster-config': async () => (await import('./handlers/runs/cluster-config.ts')).clusterConfigHandlers,
  feed: async () => (await import('./handlers/notifications/feed.ts')).feedHandlers,
  audit: async () => (await import('./handlers/accounts/audit.ts')).auditHandlers,
  agent: async () => (await import('./handlers/fleet/agent.ts')).agentHandlers,
}

interface Loaded {
  route: Route
  handler: (context: HandlerContext, request: never) => Promise<unknown>
}

/** Kept, because repeating an import takes as long as a small query. */
const load = kept(async (name: RouteName): Promise<Loaded> => {
  const ofNoun: Promise<Partial<Record<RouteName, Loaded['handler']>>> = handlers[toNoun[name]]()
  const [route, { [name]: handler }] = await Promise.all([loadRoute(name), ofNoun])
  return { route, handler: handler! }
})

/**
 * The single entry point of every transport: checks access and validates, then calls the route. `accounts`: the store with
 * the members and roles. Throws `ReltError`.
 */
export async function invoke<N extends RouteName>(
  service: Service,
  name: N,
  request: Request,
  accounts: Pick<Service, 'db' | 'vault'> = service,
): Promise<RouteAnswer<N>> {
  const { route, handler } = await load(name)
  checkAccess(route, request.user, service.plans)
  const owner = await resolveOwner(accounts, route, request)
  const checked = { ...checkShapes(route, request), owner, account: route.account && accountFor(request, owner) }
  const { db, vault } = service
  const context = { ...service, now: service.now() }
  return withCurrentKeys(vault, async () => {
    const result = await handler(context, checked as never)
    const { audit } = route
    if (audit === undefined) return result as RouteAnswer<N>
    const { recordAudit } = await import('../store/accounts/audit.ts')
    const { user, requestId } = request
    const record = async (trx: Db, answer: object) => {
      // A duplicate upload has the audit entry of the first one.
      if ('duplicate' in answer && answer.duplicate === true) return
      const subject = toMember(checked) ?? toSubject(checked.params, answer)
      return recordAudit(trx, { at: context.now, user, action: audit, subject, requestId })
    }
    if (isChange<N>(result)) {
      return write(db, result.lock, async (trx) => {
        const answer = await result.write(trx)
        await record(trx, answer)
        return answer
      })
    }
    // A store on a read-only disk can still be read.
    await record(db, result as object).catch(insteadOf('store_read_only', undefined))
    return result as RouteAnswer<N>
  })
}

function checkShapes(route: Route, { params, query, body, report, idempotencyKey, server, user }: Request) {
  // An invalid id in a path is simply not found.
  checkText(query)
  checkText(body)
  if (report) checkReportText(report)
  return {
    params: check(route.params, params ?? {}),
    query: check(route.query, query ?? {}),
    body: route.body && check(route.body, body === undefined ? {} : body),
    report,
    idempotencyKey,
    server,
    user,
  }
}

function isChange<N extends RouteName>(result: unknown): result is Change<RouteAnswer<N>> {
  return typeof (result as Partial<Change<unknown>>).write === 'function'
}

/** Throws if this user may not call the route at all, before the input is validated. */
export async function requireAccess(service: Service, name: RouteName, caller: Request) {
  const { route } = await load(name)
  checkAccess(route, caller.user, service.plans)
  await resolveOwner(service, route, caller)
}

const subjectNames = [
  'delivery_id',
  'exception_id',
  'fingerprint',
  'run_id',
  'config_id',
  'cluster_id',
  'uuid',
  'feed_id',
  'release_id',
] as const

/** `team/login`, as in the administration of teams. */
function toMember({ params, body }: { params: unknown; body?: unknown }) {
  const { team, login } = { ...(body as object), ...(params as object) } as Record<string, unknown>
  return team === undefined || login === undefined ? undefined : `${team}/${login}`
}

/** Subject of a call for the audit: from its path, else from its answer. For a comparison, the newer run. */
function toSubject(params: unknown, answer: object) {
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
    problems[issue.path.join('.') || 'body'] ??= reasonFor(issue)
    if (issue.input !== undefined) missing = false
  }
  throw missing ? missingParams(problems) : invalidParams(problems)
}
