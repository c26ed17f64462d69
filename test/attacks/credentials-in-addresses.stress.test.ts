import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { type Route, type RouteName, routes } from '../../src/contract/routes.ts'
import { address } from '../../src/contract/shape.ts'
import { hasCredentials, withoutCredentials } from '../../src/util/address.ts'
import { exampleFor } from '../helpers/examples/index.ts'
import { openSite } from '../server/site.ts'

const secret = 'zq7SECRETzq7'
const withSecret = [
  `https://user:${secret}@charts.example/stable`,
  `https://${secret}@charts.example`,
  `HTTPS://user:${secret}@charts.example/a@b`,
  `https://charts.example/index.yaml?access_token=${secret}`,
  `https://charts.example/?X-Amz-Signature=${secret}`,
  `https://charts.example/?%74oken=${secret}`,
  `https://charts.example/#api_key=${secret}`,
]
const plain = [
  'https://charts.example/a@b',
  'https://charts.example/?page=2&q=x#token',
  'https://charts.example/tokens',
]

type Path = (string | 0)[]

/** Every place of a shape in another one; 0 is the first item of a list. */
function placesFor(
  shape: z.core.$ZodType,
  wanted: (shape: z.core.$ZodType, path: Path) => boolean,
  path: Path = [],
): Path[] {
  if (wanted(shape, path)) return [path]
  const def = (shape as z.core.$ZodTypes)._zod.def
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, member]) => placesFor(member, wanted, [...path, name]))
    case 'array':
      return placesFor(def.element, wanted, [...path, 0])
    case 'optional':
    case 'nullable':
    case 'default':
      return placesFor(def.innerType, wanted, path)
    case 'pipe':
      return placesFor(def.in, wanted, path)
    case 'union':
      return def.options.flatMap((option) => placesFor(option, wanted, path))
    default:
      return []
  }
}

/** A copy with another value at the place. */
function put(whole: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value
  if (first === 0) return [put((whole as unknown[] | undefined)?.[0], rest, value)]
  return {
    ...(whole as object | undefined),
    [first]: put((whole as Record<string, unknown> | undefined)?.[first], rest, value),
  }
}

const bodies = (Object.entries(routes) as [RouteName, Route][]).flatMap(([name, route]) =>
  route.body ? [{ name, route, body: route.body as z.ZodMiniType }] : [],
)
const fields = bodies.flatMap(({ name, route, body }) =>
  placesFor(body, (shape) => shape === address).map((path) => ({
    name,
    route,
    path,
    title: `${name} ${path.join('.')}`,
  })),
)

test('finds the address fields of the routes', () => {
  const titles = fields.map(({ title }) => title)
  for (const field of ['homepage', 'docs_url', 'repo_url', 'helm_chart_repo', 'logo_url']) {
    expect(titles).toContain(`syncProjects projects.0.${field}`)
  }
  expect(titles.length).toBeGreaterThan(6)
})

test('a route refuses credentials in every field of the shape of addresses, and does not repeat them', async () => {
  const { call, ada, log } = await openSite()
  for (const { name, route, path, title } of fields) {
    const { params = {}, body } = exampleFor(name)
    const at = route.path.replace(/\{(\w+)\}/g, (_, id: string) => String((params as Record<string, unknown>)[id]))
    for (const value of withSecret) {
      const answer = await call(at, { method: route.method, headers: ada.headers, body: put(body, path, value) })
      expect([title, value, answer.status]).toEqual([title, value, 400])
      expect(answer.body.data.params).toEqual({ [path.join('.')]: 'must be a web address without credentials' })
      expect(JSON.stringify(answer.body)).not.toContain(secret)
    }
  }
  expect(log.text).not.toContain(secret)
})

/** Names of fields that hold addresses, by what they are called. */
const addressName = /(^|_)(url|urls|repo|homepage|links?|host|address|repository)$|^(webhook|apiBaseUrl)/i
/** These are sealed, and only a short form of them is shown. */
const sealed = /webhook/

test('every field that is called an address refuses credentials, or drops them, or is sealed', () => {
  const loose = bodies.flatMap(({ name, body }) => {
    const places = placesFor(body, (shape, path) => {
      const { type } = (shape as z.core.$ZodTypes)._zod.def
      const isLeaf =
        shape === address || !['object', 'array', 'optional', 'nullable', 'default', 'union'].includes(type)
      const called = path.findLast((part) => part !== 0)
      return isLeaf && called !== undefined && addressName.test(called)
    })
    return places.flatMap((path) => {
      if (sealed.test(path.join('.'))) return []
      const result = body.safeParse(put(exampleFor(name).body ?? {}, path, withSecret[0]))
      return result.success && JSON.stringify(result.data).includes(secret) ? [`${name} ${path.join('.')}`] : []
    })
  })
  expect(loose).toEqual([])
})

describe('profiles', () => {
  test.each([
    ['prometheus.url', { prometheus: { url: withSecret[0] } }],
    ['radar.api_base_url', { radar: { api_base_url: withSecret[3] } }],
    ['trusted_registries.0', { trusted_registries: [withSecret[0]] }],
    ['of_later.deep.0.address', { of_later: { deep: [{ address: withSecret[1] }] } }],
  ])('refuse credentials in settings.%s', async (path, settings) => {
    const { call, ada } = await openSite()
    const { status, body } = await call('/cluster-configs', { headers: ada.headers, body: { name: 'shop', settings } })
    expect(status).toBe(400)
    expect(Object.keys(body.data.params)).toEqual([`settings.${path}`])
    expect(JSON.stringify(body)).not.toContain(secret)
  })
})

test.each(['C:\\Users\\ada@shop\\reports', 'a:\\@', 'team: ada@shop.example', 'kind?key=value'])(
  'a profile takes %j, which is no address',
  async (text) => {
    const { call, ada } = await openSite()
    const settings = { excluded_namespaces: [text], of_later: { note: text } }
    const { status } = await call('/cluster-configs', { headers: ada.headers, body: { name: 'shop', settings } })
    expect(status).toBe(200)
  },
)

test.each(withSecret)('%s has credentials, and is shown without', (value) => {
  expect(hasCredentials(value)).toBe(true)
  expect(withoutCredentials(value)).not.toContain(secret)
  expect(hasCredentials(withoutCredentials(value))).toBe(false)
})

test.each(plain)('%s has none', (value) => {
  expect(hasCredentials(value)).toBe(false)
  expect(withoutCredentials(value)).toBe(value)
})
