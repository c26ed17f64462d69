import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Route, type RouteName, routes } from '../../src/contract/routes.ts'
import { pages } from '../../src/html/pages/index.ts'
import { tools } from '../../src/mcp/tools/index.ts'
import { issueKey } from '../../src/operations/accounts/api-key.ts'
import { addMember } from '../../src/operations/accounts/grant.ts'
import { actions } from '../../src/server/pages/actions.ts'
import { addTeam } from '../../src/store/accounts/team.ts'
import { exampleFor } from '../helpers/examples/index.ts'
import { dump, now } from '../operations/service.ts'
import { scan } from '../reports/scan.ts'
import { openWorld, useKey, type World } from '../server/conformance/world.ts'
import { type Answer, basic } from '../server/http.ts'

/**
 * A matrix of strangers and addresses. Routes, pages and forms come from their tables, and ids from the answers that their
 * owner gets. So a new route is in it without being named, and one with a parameter that no answer tells fails.
 */
const everyRoute = Object.entries(routes) as [RouteName, Route][]
/** In every name that the owner gives. */
const marker = 'zq7owned'
/** Names the cluster, and comes back in messages about it. */
const cluster = 'zq7asked'
/** The catalog is everybody's. */
const shared = ['product_id', 'release_id', 'project_slug', 'slug']
/** A parameter that answers call otherwise. */
const otherNames: Record<string, string> = { id: 'label_id', label_id: 'id', team: 'name' }

type Headers = Record<string, string>

interface Matrix {
  world: World
  /** Values of each name in the owner's answers. */
  ids: Map<string, Set<string>>
  strangers: Record<string, Headers>
  owner: Headers
}

let matrix: Matrix
let close: (() => Promise<void>) | undefined
beforeAll(async () => {
  matrix = await openMatrix((how) => {
    close = how
  })
})
afterAll(() => close?.())

async function openMatrix(whenDone: (close: () => Promise<void>) => void): Promise<Matrix> {
  const world = await openWorld(whenDone, { inTeam: true })
  const { make, db, service, other } = world
  await make('/cluster-reports', { cluster: { name: cluster }, report: scan([{ resource: `pod/${marker}` }]) })
  await make('/labels', { label_name: marker, label_color: '#1f6feb' })
  await make('/cluster-configs', { name: marker, cluster_name: cluster, provider: 'aks', settings: {} })
  await make('/exceptions', { check: 'B', all_clusters: true, reason: marker, expires_on: '2026-12-31' })
  await make('/feeds', {})
  await make('/api-keys', { name: marker })
  const strangers: Record<string, Headers> = {
    'nobody signed in': {},
    'an admin': other.headers,
    'a free account': world.free.headers,
  }
  const teamId = await addTeam(db, 'strangers', now)
  for (const role of ['viewer', 'member', 'owner'] as const) {
    const { headers, user } = await world.signUp(`stranger-${role}`, { plan: 'pro_plus' })
    await addMember(db, await service.vault(), { teamId, userId: user.id, role })
    await useKey(world, headers)
    strangers[`a ${role} of another team`] = headers
    strangers[`a ${role} of another team that names the owner's`] = { ...headers, 'x-relt-team': 'team' }
  }
  for (const scope of ['read', 'upload'] as const) {
    const { password } = await issueKey(service, { userId: other.user.id, name: scope, scope }, now)
    strangers[`a key of scope ${scope}`] = { authorization: basic('other', password) }
    await useKey(world, strangers[`a key of scope ${scope}`]!)
  }
  const matrix = { world, ids: new Map<string, Set<string>>(), strangers, owner: world.owner.headers }
  await collectIds(matrix)
  return matrix
}

/** What the owner is told by every route that needs no id, and then by every one that needs one of these. */
async function collectIds({ world, ids, owner }: Matrix): Promise<void> {
  for (const withIds of [false, true]) {
    for (const [, route] of everyRoute) {
      if (route.method !== 'GET' || route.path.includes('{') !== withIds) continue
      const path = route.path.replace(/\{(\w+)\}/g, (whole, name: string) => toValues(ids, name)[0] ?? whole)
      if (!path.includes('{')) collect((await world.call(path, { headers: owner })).body, ids)
    }
  }
}

function collect(value: unknown, ids: Map<string, Set<string>>, name = ''): void {
  if (Array.isArray(value)) for (const each of value) collect(each, ids, name)
  else if (value !== null && typeof value === 'object') {
    for (const [key, child] of Object.entries(value)) collect(child, ids, key)
  } else if (typeof value === 'string' || typeof value === 'number') {
    const known = ids.get(name) ?? new Set()
    ids.set(name, known.add(String(value)))
  }
}

const toValues = (ids: Map<string, Set<string>>, name: string): string[] => [
  ...(ids.get(name) ?? ids.get(otherNames[name] ?? '') ?? []),
]

/** `to_run_id` is a `run_id`, and `label_ids` are several of `label_id`. */
function idsFor(name: string, ids: Map<string, Set<string>>): string[] {
  const plain = name.replace(/^(?:to|from)_/, '').replace(/_ids$/, '_id')
  const isId = /_(?:id|uuid)$|^(?:fingerprint|uuid)$/.test(plain) && !shared.includes(plain)
  return isId ? toValues(ids, plain) : []
}

/** The addresses of a path with the owner's ids in it, a few of each. */
function toAddresses(path: string, ids: Map<string, Set<string>>): string[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const lists = names.map((name) => toValues(ids, name).slice(0, 3))
  for (const [index, list] of lists.entries()) expect(list, `no answer tells a ${names[index]}`).not.toEqual([])
  const most = Math.max(1, ...lists.map(({ length }) => length))
  return Array.from({ length: names.length === 0 ? 1 : most }, (_, at) => {
    let index = 0
    return path.replace(/\{\w+\}/g, () => {
      const list = lists[index++]!
      return encodeURIComponent(list[at % list.length]!)
    })
  })
}

/** The example's body, with the owner's ids in place of its own. */
function toBody(name: RouteName, ids: Map<string, Set<string>>): object | undefined {
  const fill = (value: unknown, key = ''): unknown => {
    const [id] = idsFor(key, ids)
    if (Array.isArray(value)) return value.map((each) => fill(each, key))
    if (value !== null && typeof value === 'object') {
      return Object.fromEntries(Object.entries(value).map(([member, child]) => [member, fill(child, member)]))
    }
    return id === undefined ? value : typeof value === 'number' ? Number(id) : id
  }
  const { body } = exampleFor(name)
  return body && (fill(body) as object)
}

/** Of an address, those with each of the owner's ids as a parameter. */
function toQueries({ query }: Route, ids: Map<string, Set<string>>): string[] {
  const pairs = Object.keys(query.shape).flatMap((name) =>
    idsFor(name, ids)
      .slice(0, 2)
      .map((id) => [name, id] as const),
  )
  return ['', ...pairs.map(([name, id]) => `?${name}=${encodeURIComponent(id)}`), `?cluster_name=${cluster}`]
}

/** Of a tool: none, the owner's cluster, and each of the owner's ids by itself. */
function toArguments(names: string[], ids: Map<string, Set<string>>): Record<string, string>[] {
  const own = names.flatMap((name) =>
    idsFor(name, ids)
      .slice(0, 3)
      .map((id) => ({ [name]: id })),
  )
  const project = names.includes('project') ? [{ project: 'argo-cd' }] : []
  return [{}, ...project, ...(names.includes('cluster_name') ? [{ cluster_name: cluster }] : []), ...own]
}

/** With the JSON of the answer, which comes as an event. */
async function callTool(world: World, headers: Headers, params: object): Promise<Answer> {
  const answer = await world.call('/mcp', {
    absolute: true,
    headers: { ...headers, accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  })
  const event = /^data: (.*)$/m.exec(String(answer.body))
  return event ? { ...answer, body: JSON.parse(event[1]!) } : answer
}

const tells = ({ body, headers }: Answer): boolean =>
  JSON.stringify([body, [...headers]]).includes(marker) || String(body).includes(marker)

const refusals = [401, 403, 404]

describe('a stranger', () => {
  const withIds = everyRoute.filter(([, { path, access }]) => path.includes('{') && access !== 'public')

  test.each(withIds)('finds nothing by %s', async (name, route) => {
    const { world, ids, strangers } = matrix
    const before = await dump(world.db)
    const found: unknown[] = []
    for (const path of toAddresses(route.path, ids)) {
      for (const [who, headers] of Object.entries(strangers)) {
        const plain = { method: route.method, headers, body: toBody(name, ids) }
        const requests = [[path, plain]] as [string, typeof plain][]
        if (route.method === 'GET') {
          requests.push([path, { ...plain, method: 'HEAD' as Route['method'] }])
          requests.push([path, { ...plain, headers: { ...headers, accept: 'application/yaml' } }])
        }
        for (const [address, request] of requests) {
          const answer = await world.call(address, request)
          if (!refusals.includes(answer.status) || tells(answer))
            found.push([who, request.method, path, answer.status, answer.body])
        }
      }
    }
    expect(found).toEqual([])
    expect(await dump(world.db)).toEqual(before)
  })

  test.each(everyRoute.filter(([, { path }]) => !path.includes('{')))('learns nothing from %s', async (name, route) => {
    const { world, ids, strangers } = matrix
    const told: unknown[] = []
    for (const query of toQueries(route, ids)) {
      for (const [who, headers] of Object.entries(strangers)) {
        if (route.access === 'admin' && route.method !== 'GET') continue
        const answer = await world.call(route.path + query, { method: route.method, headers, body: toBody(name, ids) })
        if (answer.status >= 500 || tells(answer)) told.push([who, route.path + query, answer.status, answer.body])
      }
    }
    expect(told).toEqual([])
  })

  test('finds nothing through batches', async () => {
    const { world, ids, strangers } = matrix
    const parts = withIds
      .filter(([, { method }]) => method !== 'GET')
      .flatMap(([name, route]) =>
        toAddresses(route.path, ids).map((path) => ({
          method: route.method,
          path: `/relt/v1${path}`,
          body: toBody(name, ids) ?? {},
        })),
      )
    const before = await dump(world.db)
    const found: unknown[] = []
    for (const [who, headers] of Object.entries(strangers)) {
      for (let at = 0; at < parts.length; at += 25) {
        const requests = parts.slice(at, at + 25)
        const answer = await world.call('/api/batch/v1', { absolute: true, headers, body: { requests } })
        const responses: { status: number }[] = answer.body.responses ?? []
        for (const [index, { status }] of responses.entries()) {
          if (!refusals.includes(status)) found.push([who, requests[index], status])
        }
        if (tells(answer)) found.push([who, answer.body])
      }
    }
    expect(found).toEqual([])
    expect(await dump(world.db)).toEqual(before)
  })

  test.each(tools)('finds nothing by the tool $name', async ({ name, properties, required = [] }) => {
    const { world, ids, strangers, owner } = matrix
    const before = await dump(world.db)
    const told: unknown[] = []
    for (const [who, headers] of Object.entries(strangers)) {
      for (const args of toArguments(Object.keys(properties), ids)) {
        if (required.some((each) => args[each] === undefined)) continue
        const answer = await callTool(world, headers, { name, arguments: args })
        const isForeign = Object.keys(args).some((each) => idsFor(each, ids).length > 0)
        const isFound = isForeign && answer.status === 200 && answer.body.result?.isError !== true
        if (answer.status >= 500 || tells(answer) || isFound) told.push([who, args, answer.status, answer.body])
      }
    }
    expect(told).toEqual([])
    expect(await dump(world.db)).toEqual(before)
    const own = toArguments(Object.keys(properties), ids).map((args) =>
      callTool(world, owner, { name, arguments: args }),
    )
    expect((await Promise.all(own)).map(({ body }) => body.result?.isError)).toContain(undefined)
  })

  const everyPage = pages.map(({ path }) => path)
  test.each(everyPage)('sees nothing on the page %s and in its downloads', async (path) => {
    const { world, ids } = matrix
    const told: unknown[] = []
    for (const [who, headers] of Object.entries(await sessionsFor(matrix))) {
      for (const address of path === '/projects/{id}' ? ['/projects/1'] : toAddresses(path, ids)) {
        for (const query of ['', `?cluster_name=${cluster}`, '?team=team', '?format=csv', '?format=json&team=team']) {
          const answer = await world.call(address + query, {
            absolute: true,
            headers: { accept: 'text/html', ...headers },
          })
          const isForeign = path.includes('{') && path !== '/projects/{id}'
          if (tells(answer) || answer.status >= 500 || (isForeign && answer.status === 200))
            told.push([who, address + query, answer.status])
        }
      }
    }
    expect(told).toEqual([])
  })

  const ownForms = actions
    .map(({ path }) => path)
    // A project and a channel are nobody's.
    .filter((path) => path.includes('{') && !path.startsWith('/projects/') && !path.endsWith('/{channel}'))
  test.each(ownForms)('changes nothing by the form %s', async (path) => {
    const { world, ids } = matrix
    const sessions = await sessionsFor(matrix)
    const before = await dump(world.db)
    for (const [who, { nonce, ...headers }] of Object.entries(sessions)) {
      for (const address of toAddresses(path, ids)) {
        const body = new URLSearchParams({
          _wpnonce: nonce!,
          add: toValues(ids, 'label_id')[0]!,
          labels: 'x',
          team_name: 'team',
          role: 'viewer',
        }).toString()
        const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
        const answer = await world.call(address, { absolute: true, method: 'POST', headers: form, body })
        expect([who, address, answer.status]).toEqual([who, address, expect.toBeOneOf([401, 403, 404])])
        expect(tells(answer)).toBe(false)
      }
    }
    expect(await dump(world.db)).toEqual(before)
  })
})

test('the owner finds what strangers do not', async () => {
  const { world, ids, owner } = matrix
  const missed: unknown[] = []
  for (const [name, route] of everyRoute) {
    if (route.method !== 'GET' || !route.path.includes('{') || route.access === 'public') continue
    const answers = await Promise.all(toAddresses(route.path, ids).map((path) => world.call(path, { headers: owner })))
    if (!answers.some(({ status }) => status === 200)) missed.push([name, answers.map(({ status }) => status)])
  }
  expect(missed).toEqual([])
  for (const path of ['/labels', '/findings', '/exceptions', '/cluster-configs', '/api-keys']) {
    expect([path, tells(await world.call(path, { headers: owner }))]).toEqual([path, true])
  }
})

let sessions: Promise<Record<string, Headers>> | undefined

/** Sessions of strangers, by their keys. */
function sessionsFor({ world, strangers }: Matrix): Promise<Record<string, Headers>> {
  sessions ??= (async () => {
    const opened: Record<string, Headers> = { 'nobody signed in': { nonce: '' } }
    for (const [who, { authorization, cookie, 'x-wp-nonce': nonce = '' }] of Object.entries(strangers)) {
      if (cookie) opened[who] = { cookie, nonce }
      if (!authorization || who.includes('names')) continue
      const [username = '', password = ''] = Buffer.from(authorization.slice(6), 'base64').toString().split(/:(.*)/s)
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const body = new URLSearchParams({ username, password }).toString()
      const { headers } = await world.call('/sign-in', { absolute: true, method: 'POST', headers: form, body })
      const session = headers.get('set-cookie')?.split(';')[0]
      if (!session) continue
      const { body: shown } = await world.call('/session', { headers: { cookie: session } })
      opened[who] = { cookie: session, nonce: shown.nonce }
    }
    return opened
  })()
  return sessions
}
