import { isCachedPublicly, type Route } from '../../contract/route.ts'
import { type RouteName, routes } from '../../contract/routes.ts'
import { invalidParams } from '../../errors.ts'
import { escapeForYaml } from '../../profiles/escape.ts'
import type { Request } from '../../service/handler.ts'
import { invoke, requireAccess } from '../../service/invoke.ts'
import type { Service } from '../../service/service.ts'
import { writeJson } from '../../util/json-text.ts'
import type { RouteJob } from '../worker-messages.ts'
import { type AnswerSlots, needsSlot } from './answer-slots.ts'
import { apiAddress } from './base-path.ts'
import { readRequestBody, readUploadBytes } from './body.ts'
import { type CatalogCache, publicAnswer } from './catalog-cache.ts'
import { replyJson, replyPublic, replyText, replyUncached } from './reply.ts'
import type { HttpContext } from './state.ts'
import type { Work } from './work.ts'

/** Objects for all answers of routes. */
export interface AnswerOptions {
  service: Service
  cache: CatalogCache
  slots: AnswerSlots
  /** Milliseconds. */
  clock: () => number
  work: Work
}

/** Handles one route of the table: converts the request to the input of `invoke`, and its result to HTTP. */
export async function answerRoute(c: HttpContext, name: RouteName, answering: AnswerOptions) {
  const { slots } = answering
  const state = c.get('state')
  const { user, team, requestId, triedWith } = state
  const route: Route = routes[name]
  const request: Request & { query: Record<string, unknown> } = {
    params: c.req.param(),
    query: toQuery(c),
    user,
    team,
    requestId,
    server: apiAddress(state),
  }
  if (!triedWith && isCachedPublicly(route, request.query)) return answerPublic(c, name, request, answering)
  const answer = () =>
    !triedWith && route.cachedPublicly
      ? answerPublic(c, name, request, { ...answering, isLarge: true })
      : answerCall(c, name, request, answering)
  return needsSlot(route, request.query) ? slots.make(c, name, answer) : answer()
}

async function answerCall(c: HttpContext, name: RouteName, request: Request, answering: AnswerOptions) {
  const { service, cache, work } = answering
  const route: Route = routes[name]
  const state = c.get('state')
  const { inner } = state
  const isHeavy = work.isHeavy(route) && inner !== 'dry'
  async function answerHeavy(job: RouteJob) {
    const { bytes, isDuplicate } = await work.heavy(state, job)
    return replyText(c, bytes, { status: statusFor(route, isDuplicate) })
  }
  if (route.body) {
    // Check access before reading the body, which may be 100 MB.
    await requireAccess(service, name, request)
    if (isHeavy && route.carriesReport) {
      const { bytes, idempotencyKey } = await readUploadBytes(c)
      return answerHeavy({ name, request: { ...request, idempotencyKey }, upload: bytes })
    }
    Object.assign(request, await readRequestBody(c, route))
  }
  if (inner === 'dry') {
    await dryRun(service, name, request)
    return replyJson(c, {})
  }
  if (isHeavy) return answerHeavy({ name, request })
  const answer = await work.here(state, name, request)
  if (route.changesCatalog) cache.clear()
  if (route.answersPlain) return answerPlain(c, answer, route.answersPlain)
  const status = statusFor(route, (answer as { duplicate?: true }).duplicate === true)
  return route.largeAnswer ? replyText(c, writeJson(answer), { status }) : replyJson(c, answer, { status })
}

class Reached extends Error {}

const stop = () => {
  throw new Reached()
}

/** A store that throws on any access. */
const untouchable = new Proxy({}, { get: stop, has: stop }) as Service['db']

/** Validates a call without running it: a call that accesses the store has passed. Throws the same errors as the call. */
async function dryRun(service: Service, name: RouteName, request: Request) {
  const stopped: Service = { ...service, db: untouchable, vault: async () => stop() }
  try {
    await invoke(stopped, name, request, service)
  } catch (error) {
    if (!(error instanceof Reached)) throw error
  }
}

function statusFor({ status = 200, duplicateStatus = status }: Route, isDuplicate: boolean) {
  return isDuplicate ? duplicateStatus : status
}

/** `isLarge`: too large for shared caches, and too expensive to compute for each caller. */
async function answerPublic(
  c: HttpContext,
  name: RouteName,
  request: Request,
  { work, cache, clock, isLarge = false }: AnswerOptions & { isLarge?: boolean },
) {
  const { path } = routes[name]
  const { url } = c.req
  const [key, reply] = isLarge
    ? [`no-store ${path} ${url.slice(url.indexOf('?'))}`, replyUncached]
    : [url.slice(url.indexOf('/', url.indexOf('//') + 2)), replyPublic]
  const kept = cache.find(key, clock())
  if (kept) return reply(c, kept)
  const { generation } = cache
  const answer = { ...publicAnswer(await work.here(c.get('state'), name, request)), route: name, path }
  cache.put(key, answer, { nowMs: clock(), generation })
  return reply(c, answer)
}

/** Escapes characters for clients that parse the JSON as YAML, which is stricter. */
function answerPlain(c: HttpContext, answer: object, { type, member }: NonNullable<Route['answersPlain']>) {
  if (accepts(c.req.header('accept'), type)) {
    return replyText(c, String((answer as Record<string, unknown>)[member]), { type: `${type}; charset=utf-8` })
  }
  return replyText(c, escapeForYaml(JSON.stringify(answer)))
}

/** A repeated parameter becomes a list, which every schema rejects. */
function toQuery(c: HttpContext): Record<string, unknown> {
  const { url } = c.req
  const start = url.indexOf('?')
  if (start < 0) return {}
  const search = url.slice(start)
  const lists = Map.groupBy(new URLSearchParams(search), ([key]) => key)
  if (!isUtf8Search(search)) throw invalidParams(notUtf8(lists))
  return Object.fromEntries([...lists].map(([key, all]) => [key, all.length === 1 ? all[0]![1] : all]))
}

/** Rejects invalid UTF-8: decoding would replace it, which makes different texts equal. */
function isUtf8Search(search: string) {
  try {
    for (const [escapes] of search.matchAll(/(?:%[0-9a-f]{2})+/gi)) decodeURIComponent(escapes)
    return true
  } catch {
    return false
  }
}

function notUtf8(lists: Map<string, [string, string][]>) {
  const names = [...lists].filter(
    ([key, all]) => key.includes('\ufffd') || all.some(([, value]) => value.includes('\ufffd')),
  )
  return Object.fromEntries(names.map(([name]) => [name, 'must be UTF-8 text']))
}

/** `application/yaml` is also accepted as `text/yaml` and `application/x-yaml`. */
function accepts(accept = '', type: string) {
  const kind = type.split('/').at(-1)
  const kinds = accept.toLowerCase().matchAll(/\b(?:application|text)\/(?:x-)?([\w.+-]+)/g)
  return kinds.some(([, accepted]) => accepted === kind)
}
