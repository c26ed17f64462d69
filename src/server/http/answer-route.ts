import type { ConfigFile } from '../../contract/cluster-config.ts'
import { type Route, type RouteName, routes } from '../../contract/routes.ts'
import { invalidParams } from '../../errors.ts'
import { escapeForYaml } from '../../profiles/escape.ts'
import { invoke, type Request, requireAccess } from '../../service/invoke.ts'
import type { Service } from '../../service/service.ts'
import type { JsonAnswer, RouteJob } from '../worker-pool.ts'
import { type AnswerSlots, needsSlot } from './answer-slots.ts'
import { readRequestBody, readUploadBytes } from './body.ts'
import { type CatalogCache, publicAnswer } from './catalog-cache.ts'
import { dryRun } from './dry-run.ts'
import { replyJson, replyPublic, replyText } from './reply.ts'
import type { HttpContext } from './state.ts'

interface Answering {
  service: Service
  /** Of the interface. */
  basePath: string
  cache: CatalogCache
  slots: AnswerSlots
  /** Milliseconds. */
  clock: () => number
  /** Answers heavy routes; without it they are answered like all others. */
  heavy?: ((job: RouteJob) => Promise<JsonAnswer>) | undefined
}

/** One route of the table: the request in the shape of `invoke`, and what it gives in the form of HTTP. */
export async function answerRoute(c: HttpContext, name: RouteName, answering: Answering): Promise<Response> {
  const { basePath, slots } = answering
  const { user, requestId, origin, triedWith } = c.get('state')
  const request: Request & { query: Record<string, unknown> } = {
    params: c.req.param(),
    query: queryOf(c),
    user,
    requestId,
    server: origin && origin + basePath,
  }
  if (!triedWith && isPublic(name, request.query)) return answerPublic(c, name, request, answering)
  if (!triedWith && name === 'listProjects') return answerWithReleases(c, request, answering)
  if (needsSlot(name, request.query)) return slots.make(c, name, () => answerCall(c, name, request, answering))
  return answerCall(c, name, request, answering)
}

async function answerCall(c: HttpContext, name: RouteName, request: Request, answering: Answering): Promise<Response> {
  const { service, cache, heavy } = answering
  const route: Route = routes[name]
  const { user, inner } = c.get('state')
  const isHeavy = route.heavy && heavy && inner !== 'dry'
  async function answerHeavy(job: RouteJob): Promise<Response> {
    const { json, isDuplicate } = await heavy!(job)
    return replyText(c, json, { status: isDuplicate ? 200 : (route.status ?? 200) })
  }
  if (route.body) {
    // Check access before reading the body, which may be 100 MB.
    await requireAccess(service, name, user)
    if (isHeavy && name === 'uploadReport') {
      const { bytes, idempotencyKey } = await readUploadBytes(c)
      return answerHeavy({ name, request: { ...request, idempotencyKey }, upload: bytes })
    }
    Object.assign(request, await readRequestBody(c, name))
  }
  if (inner === 'dry') {
    await dryRun(service, name, request)
    return replyJson(c, {})
  }
  if (isHeavy) return answerHeavy({ name, request })
  const answer = await invoke(service, name, request)
  if (changeTheCatalog.includes(name)) cache.clear()
  if (name === 'getConfigFile') return answerConfigFile(c, answer as ConfigFile)
  const isDuplicate = name === 'uploadReport' && (answer as { duplicate?: true }).duplicate
  return replyJson(c, answer, { status: isDuplicate ? 200 : (route.status ?? 200) })
}

/** Routes that change answers of the catalog, if only the number of a project's followers. */
const changeTheCatalog: RouteName[] = ['addRelease', 'syncProjects', 'toggleSubscription']

async function answerPublic(
  c: HttpContext,
  name: RouteName,
  request: Request,
  { service, cache, clock }: Answering,
): Promise<Response> {
  const { url } = c.req
  const address = url.slice(url.indexOf('/', url.indexOf('//') + 2))
  const kept = cache.find(address, clock())
  if (kept) return replyPublic(c, kept)
  const { generation } = cache
  const answer = { ...publicAnswer(await invoke(service, name, request)), route: name, path: routes[name].path }
  cache.put(address, answer, { nowMs: clock(), generation })
  return replyPublic(c, answer)
}

/** Projects with all their releases: too large for the shared cache, and too expensive to compute for each caller. */
async function answerWithReleases(c: HttpContext, request: Request, { service, cache, clock }: Answering) {
  const key = `no-store ${c.req.url.slice(c.req.url.indexOf('?'))}`
  const kept = cache.find(key, clock())
  if (kept) return replyText(c, kept.body.toString())
  const { generation } = cache
  const answer = publicAnswer(await invoke(service, 'listProjects', request))
  const entry = { ...answer, route: 'listProjects', path: routes.listProjects.path }
  cache.put(key, entry, { nowMs: clock(), generation })
  return replyText(c, String(answer.body))
}

/** The native scanner reads the JSON as YAML. */
function answerConfigFile(c: HttpContext, file: ConfigFile): Promise<Response> {
  if (acceptsYaml(c.req.header('accept'))) {
    return replyText(c, file.content, { type: 'application/yaml; charset=utf-8' })
  }
  return replyText(c, escapeForYaml(JSON.stringify(file)))
}

/** The catalog; `/my-subscriptions` is open to all but differs from one to the other. */
function isPublic(name: RouteName, { include_releases }: Record<string, unknown>): boolean {
  const { method, access } = routes[name]
  if (method !== 'GET' || access !== 'public' || name === 'getMySubscriptions') return false
  return include_releases !== 'true' && include_releases !== '1'
}

/** A repeated parameter becomes a list, which no shape accepts. */
function queryOf(c: HttpContext): Record<string, unknown> {
  const { url } = c.req
  const start = url.indexOf('?')
  if (start < 0) return {}
  const search = url.slice(start)
  const lists = Map.groupBy(new URLSearchParams(search), ([key]) => key)
  if (!isUtf8Search(search)) throw invalidParams(notUtf8(lists))
  return Object.fromEntries([...lists].map(([key, all]) => [key, all.length === 1 ? all[0]![1] : all]))
}

/** Decoding replaces what is no UTF-8, and two different texts would be one. */
function isUtf8Search(search: string): boolean {
  try {
    for (const [escapes] of search.matchAll(/(?:%[0-9a-f]{2})+/gi)) decodeURIComponent(escapes)
    return true
  } catch {
    return false
  }
}

function notUtf8(lists: Map<string, [string, string][]>): Record<string, string> {
  const names = [...lists].filter(
    ([key, all]) => key.includes('\ufffd') || all.some(([, value]) => value.includes('\ufffd')),
  )
  return Object.fromEntries(names.map(([name]) => [name, 'must be UTF-8 text']))
}

function acceptsYaml(accept: string | undefined): boolean {
  return /\b(application|text)\/(x-)?yaml\b/i.test(accept ?? '')
}
