import { afterAll, describe, expect, test } from 'vitest'
import { type Route, type RouteName, routes } from '../../src/contract/routes.ts'
import { errorTable, ReltError } from '../../src/errors.ts'
import { invoke } from '../../src/server/app.ts'
import { findUser } from '../../src/store/user.ts'
import { scan } from '../reports/scan.ts'
import { basic, openHttp } from './http.ts'

/** Path parameters and body of a call that is right but for who makes it, by route. */
interface Sample {
  params?: Record<string, string>
  body?: Record<string, unknown>
}

const table = Object.entries(routes) as [RouteName, Route][]
const everyone = table.map(([name, route]) => [name, route] as const)
const withIds = everyone.filter(([, route]) => route.path.includes('{') && route.access !== 'public')
const withBody = everyone.filter(([, route]) => route.body !== undefined)

let checks = 0
afterAll(() => console.log(`${checks} conformance checks`))

/** A store with an owner of one of everything, and the calls that reach it. */
async function openOwned() {
  const http = await openHttp()
  const owner = await http.signUp('owner', { role: 'admin', plan: 'pro_plus' })
  const post = async (path: string, body: unknown) => {
    const answer = await http.call(path, { headers: owner.headers, body })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
  const { subscription_id } = await post('/toggle-sub', { product_id: 1 })
  const { label_id } = await post('/labels', { label_name: 'mine', label_color: '#1f6feb' })
  await post(`/subscriptions/${subscription_id}/labels`, { label_ids: [label_id] })
  const { item } = await post('/api-keys', { name: 'second' })
  const { config_id } = await post('/cluster-configs', { name: 'Prod' })
  const { run_id } = await post('/cluster-reports', { report: scan([{}]) })
  await post('/cluster-reports', { report: scan([{}, {}]) })
  const ids: Record<string, string> = {
    run_id,
    config_id,
    uuid: item.uuid,
    subscription_id: String(subscription_id),
    label_id: String(label_id),
  }
  const sampleOf = (name: RouteName): Sample => {
    const route: Route = routes[name]
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
    const params = Object.fromEntries(
      names.map((each) => [
        each,
        each === 'id' ? (route.path.startsWith('/labels') ? ids.label_id! : '1') : ids[each]!,
      ]),
    )
    return { params, ...(route.body && { body: bodyOf(name, ids) }) }
  }
  return { ...http, owner, ids, sampleOf }
}

function bodyOf(name: RouteName, ids: Record<string, string>): Record<string, unknown> {
  const bodies: Partial<Record<RouteName, Record<string, unknown>>> = {
    uploadReport: { report: scan([{}, {}, {}]) },
    addRelease: { product_id: 1, version: 'v9.9.9', type: 'app' },
    syncProjects: { projects: [] },
    toggleSubscription: { product_id: 2 },
    updateSettings: { subscription_id: Number(ids.subscription_id), notifications_paused: true },
    createLabel: { label_name: 'new', label_color: '#000000' },
    updateLabel: { label_name: 'renamed', label_color: '#000000' },
    attachLabels: { label_ids: [Number(ids.label_id)] },
    createKey: { name: 'third' },
    createConfig: { name: 'Staging' },
  }
  return bodies[name] ?? {}
}

function pathOf(route: Route, params: Record<string, string> = {}): string {
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!))
}

type Http = Awaited<ReturnType<typeof openOwned>>

async function ask(http: Http, name: RouteName, sample: Sample, headers: Record<string, string> = {}) {
  checks++
  const route: Route = routes[name]
  const { status, body } = await http.call(pathOf(route, sample.params), {
    method: route.method,
    headers,
    ...(sample.body && { body: sample.body }),
  })
  return { status, code: body?.code as string | undefined }
}

/** The same in this process. */
async function askInside({ service, db }: Http, name: RouteName, { params, body = {} }: Sample, login?: string) {
  checks++
  const { report, ...envelope } = body
  const user = login === undefined ? undefined : await findUser(db, login)
  const request = {
    params,
    body: envelope,
    user,
    ...(report !== undefined && { report: Buffer.from(JSON.stringify(report)) }),
  }
  return invoke(service, name, request).then(
    () => undefined,
    (error: unknown) => (error instanceof ReltError ? errorTable[error.code].status : error),
  )
}

describe('each route', () => {
  test.each(everyone)('%s answers its owner', async (name, route) => {
    const http = await openOwned()
    const answer = await ask(http, name, http.sampleOf(name), http.owner.headers)
    expect(answer).toEqual({ status: route.status ?? 200, code: undefined })
    const inside = await openOwned()
    expect(await askInside(inside, name, inside.sampleOf(name), 'owner')).toBeUndefined()
  })

  test.each(everyone)('%s asks for credentials where it needs them', async (name, route) => {
    const http = await openOwned()
    const sample = http.sampleOf(name)
    const anonymous = route.access === 'public' ? { status: 200 } : { status: 401, code: 'rest_forbidden' }
    expect(await ask(http, name, sample)).toMatchObject(anonymous)
    expect(await askInside(http, name, sample)).toBe(route.access === 'public' ? undefined : 401)
  })

  test.each(everyone)('%s refuses credentials that are wrong', async (name) => {
    const http = await openOwned()
    const sample = http.sampleOf(name)
    const wrong = [
      basic('owner', 'abcd efgh ijkl mnop qrst uvwx'),
      basic('nobody', http.owner.key),
      basic('owner@shop.example', http.owner.key),
      'Basic !',
      'Bearer x',
    ]
    for (const authorization of wrong) {
      expect(await ask(http, name, sample, { authorization }), authorization).toMatchObject({ status: 401 })
    }
  })

  test.each(everyone)('%s keeps to plan and role', async (name, { access, status = 200 }) => {
    const http = await openOwned()
    const sample = http.sampleOf(name)
    const free = await http.signUp('free', { plan: 'free' })
    const forbidden = { status: 403, code: 'rest_forbidden' }
    const answer = await ask(http, name, sample, free.headers)
    if (access === 'pro' || access === 'admin') {
      expect(answer).toEqual(forbidden)
      expect(await askInside(http, name, sample, 'free')).toBe(403)
    } else {
      expect([status, 404]).toContain(answer.status)
    }
  })
})

describe("another user's", () => {
  test.each(withIds)('%s is as if it did not exist', async (name) => {
    const http = await openOwned()
    const other = await http.signUp('other', { plan: 'pro_plus', role: 'admin' })
    const sample = http.sampleOf(name)
    expect(await ask(http, name, sample, other.headers)).toEqual({ status: 404, code: 'rest_no_route' })
    expect(await askInside(http, name, sample, 'other')).toBe(404)
    expect(await ask(http, name, sample, http.owner.headers)).toMatchObject({ code: undefined })
  })

  test('runs cannot be compared with', async () => {
    const http = await openOwned()
    const other = await http.signUp('other')
    for (const query of [`to_run_id=${http.ids.run_id}`, `from_run_id=${http.ids.run_id}`]) {
      expect((await http.call(`/cluster-reports/compare?${query}`, { headers: other.headers })).status).toBe(404)
    }
  })

  test('subscription cannot be set', async () => {
    const http = await openOwned()
    const other = await http.signUp('other')
    for (const name of ['updateSettings', 'testNotification'] as const) {
      const body = { subscription_id: Number(http.ids.subscription_id) }
      expect(await ask(http, name, { body }, other.headers)).toEqual({ status: 404, code: 'rest_no_route' })
    }
  })
})

describe('an unknown id', () => {
  const strange = ['0', '-1', '999999999', '1e3', 'x', "' or 1=1 --", '%00', '../1', 'crun_', 'ccfg_x', '9'.repeat(40)]
  test.each(everyone.filter(([, route]) => route.path.includes('{')))('%s does not know it', async (name, route) => {
    const http = await openOwned()
    const sample = http.sampleOf(name)
    for (const param of Object.keys(sample.params!)) {
      for (const id of strange) {
        const params = { ...sample.params, [param]: id }
        const answer = await ask(http, name, { ...sample, params }, http.owner.headers)
        expect(answer, `${route.path} ${id}`).toEqual({ status: 404, code: 'rest_no_route' })
        expect(await askInside(http, name, { ...sample, params }, 'owner')).toBe(404)
      }
    }
  })
})

describe('a body', () => {
  const noJson = ['{', '[1', 'nul', '{"a":1}x', '\u0000', '{"__proto__":{}}', '{"a":'.repeat(100)]
  test.each(withBody)('of %s is JSON, an object, and of the right media type', async (name, route) => {
    const http = await openOwned()
    const { params } = http.sampleOf(name)
    const send = async (body: string, type = 'application/json') => {
      checks++
      const headers = { ...http.owner.headers, 'content-type': type }
      const { status, body: answer } = await http.call(pathOf(route, params), { method: route.method, headers, body })
      return { status, code: answer.code }
    }
    for (const body of noJson) expect(await send(body), body).toEqual({ status: 400, code: 'rest_invalid_json' })
    for (const body of ['[]', '5', '"x"', 'null']) expect((await send(body)).status, body).toBe(400)
    expect(await send('{}', 'text/plain')).toEqual({ status: 415, code: 'rest_unsupported_media_type' })
    if (name !== 'uploadReport') {
      const large = JSON.stringify({ x: 'x'.repeat(1_100_000) })
      expect(await send(large)).toEqual({ status: 413, code: 'rest_upload_too_large' })
    }
  })
})
