import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { readPlans } from '../../src/config/plans.ts'
import { openApiDocument } from '../../src/contract/openapi.ts'
import { oneStepFrom, type Schema, toArbitrary } from '../helpers/arbitrary-json.ts'
import { validatorFor } from '../helpers/openapi.ts'
import { scan } from '../reports/scan.ts'
import { openHttp } from './http.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}

interface Operation {
  method: string
  path: string
  base: string
  parameters: Parameter[]
  /** Query parameters of which a request has at most one. */
  exclusive: string[]
  body: Schema | undefined
  needsBody: boolean
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Generated {
  params: Record<string, unknown>
  query: Record<string, unknown>
  headers: Record<string, string>
  body: unknown
}

/** What the document allows is taken, and what it forbids is refused; this many of each. */
export interface Counts {
  valid: number
  invalid: number
}

const document = openApiDocument('1.0.0')
const validate = validatorFor(document)

function resolve<T extends object>(value: T): T {
  let known = value
  while ('$ref' in known) {
    const { $ref, ...rest } = known as { $ref: string }
    const keys = $ref.slice(2).split('/')
    const target = keys.reduce<unknown>((node, key) => (node as never)[key], document)
    known = { ...(target as T), ...rest }
  }
  return known
}

interface Described {
  parameters?: Parameter[]
  'x-relt-at-most-one'?: string[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } }
  responses: Operation['responses']
}

const serverFor = (item: { servers?: { url: string }[] }) =>
  (item.servers ?? document.servers)[0]!.url.replace(/\/$/, '')

const operations: Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  ['get', 'post', 'put', 'delete'].flatMap((method) => {
    const operation = item[method] as Described | undefined
    if (!operation) return []
    const { parameters = [], 'x-relt-at-most-one': exclusive = [], requestBody, responses } = operation
    return {
      ...{ method: method.toUpperCase(), path, base: serverFor(item) },
      parameters: parameters.map((parameter) => resolve(parameter)),
      exclusive,
      body: requestBody?.content['application/json'].schema,
      needsBody: requestBody?.required === true,
      responses: Object.fromEntries(Object.entries(responses).map(([status, each]) => [status, resolve(each)])),
    }
  }),
)

/** Ids of things that are there, by the name of the parameter. */
type Known = Record<string, (string | number)[]>

function toRequest(operation: Operation, known: Known): fc.Arbitrary<Generated> {
  const inPlace = (place: string) => operation.parameters.filter((parameter) => parameter.in === place)
  const toValues = ({ name, schema, in: place }: Parameter) => {
    if (place === 'header' && known[name]) return fc.constantFrom(...known[name])
    if (place === 'header' && !schema.pattern && !schema.enum) return fc.stringMatching(/^[!-~]{0,20}$/)
    const values = toArbitrary(schema, resolve).filter((value) => validate(schema, value).length === 0)
    return known[name] ? fc.oneof(values, fc.constantFrom(...known[name])) : values
  }
  const all = (place: string) =>
    fc.record(Object.fromEntries(inPlace(place).map((each) => [each.name, toValues(each)])), {
      requiredKeys: inPlace(place).flatMap((each) => (each.required ? [each.name] : [])),
    })
  const body = operation.body
    ? toArbitrary(operation.body, resolve)
        .map((value) => withKnown(value, known))
        .filter((value) => validate(operation.body!, value).length === 0)
    : fc.constant(undefined)
  return fc.record({
    params: all('path'),
    query: all('query').map((query) => withOneOf(operation.exclusive, query)),
    headers: all('header') as fc.Arbitrary<Record<string, string>>,
    body: operation.needsBody || !operation.body ? body : fc.option(body, { nil: undefined }),
  })
}

/** Ids in a body are of nothing mostly; half of them are replaced. */
function withKnown(value: unknown, known: Known): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value).map(([name, member]) => {
    const ids = known[name]
    return [name, ids && typeof member === 'number' && member % 2 === 0 ? ids[0] : member]
  })
  return Object.fromEntries(members)
}

/** The query with only the first of the parameters that exclude each other. */
function withOneOf(exclusive: string[], query: Record<string, unknown>): Record<string, unknown> {
  const [, ...excluded] = Object.keys(query).filter((name) => exclusive.includes(name))
  return Object.fromEntries(Object.entries(query).filter(([name]) => !excluded.includes(name)))
}

/** The report of a scanner is read as far as it can be understood: what is odd inside of it is no error. */
const lenient = 'report'

/** The request with one thing in it that the document does not allow. */
function toWrongRequest(request: fc.Arbitrary<Generated>, { body, parameters, exclusive }: Operation) {
  const limited = parameters.filter(({ in: place, schema }) => place === 'query' && wrongTexts(schema).length > 0)
  const kinds: fc.Arbitrary<Generated>[] = []
  if (body) {
    const wrongBody = request
      .filter((each) => each.body !== undefined)
      .chain((each) => oneStepFrom(each.body, lenient).map((changed) => ({ ...each, body: changed })))
    kinds.push(wrongBody.filter((each) => validate(body, each.body).length > 0))
  }
  if (limited.length > 0) {
    const wrongParameter = fc
      .constantFrom(...limited)
      .chain(({ name, schema }) => fc.constantFrom(...wrongTexts(schema)).map((text) => ({ [name]: text })))
    kinds.push(
      fc.tuple(request, wrongParameter).map(([each, wrong]) => ({ ...each, query: { ...each.query, ...wrong } })),
    )
  }
  if (exclusive.length > 1) {
    const both = Object.fromEntries(exclusive.map((name) => [name, name === 'cve' ? 'CVE-2026-1234' : 1]))
    kinds.push(request.map((each) => ({ ...each, query: both })))
  }
  return kinds.length > 0 ? fc.oneof(...kinds) : undefined
}

function wrongTexts(schema: Schema): string[] {
  const { type, enum: choices, pattern, maximum, maxLength } = resolve(schema)
  if (type === 'integer') return ['', 'x', '-1', '1.5', '0', ...(maximum ? [String((maximum as number) + 1)] : [])]
  if (type === 'boolean') return ['', 'yes', 'TRUE', '2']
  if (choices) return ['', 'other']
  const long = maxLength ? ['x'.repeat((maxLength as number) + 1)] : []
  return pattern && type === 'string' ? ['a\u0001b', ...long] : long
}

interface World {
  app: Awaited<ReturnType<typeof openHttp>>['app']
  authorization: string | undefined
}

async function send({ app, authorization }: World, operation: Operation, generated: Generated) {
  const { params, query, headers, body } = generated
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const { 'Content-Encoding': encoding = 'identity', ...others } = headers
  const text = JSON.stringify(body)
  const bytes = text === undefined ? undefined : encoding === 'gzip' ? gzipSync(text) : text
  return app.request(`${operation.base}${path}?${search}`, {
    method: operation.method,
    headers: {
      ...others,
      ...(authorization && { authorization }),
      ...(bytes !== undefined && { 'content-type': 'application/json', 'content-encoding': encoding }),
    },
    ...(bytes !== undefined && { body: bytes }),
  })
}

type Role = 'anonymous' | 'user' | 'admin' | 'free'

/** A service with some of everything, and the ids of it. */
async function openWorld(role: Role) {
  const http = await openHttp()
  http.service.plans = readPlans({ RELT_PLAN_LIMITS: 'pro_plus.keys=100000,pro_plus.subscriptions=100000' })
  if (role === 'anonymous') return { world: { app: http.app, authorization: undefined }, known: { id: [1, 2, 3] } }
  const plan = role === 'free' ? 'free' : 'pro_plus'
  const { headers } = await http.signUp('ada', { plan, role: role === 'admin' ? 'admin' : 'user' })
  const make = async (path: string, body: object) => (await http.call(path, { headers, body })).body
  const { subscription_id } = await make('/toggle-sub', { product_id: 1 })
  const { label_id } = await make('/labels', { label_name: 'prod', label_color: '#1f6feb' })
  const runs: string[] = []
  for (const message of ['a', 'b', 'c'])
    runs.push((await make('/cluster-reports', { report: scan([{ message }]) })).run_id)
  const { config_id } = await make('/cluster-configs', { name: 'prod', provider: 'kubernetes' })
  const exception = { check: 'A', all_clusters: true, reason: 'Known', expires_on: '2099-12-31' }
  const { exception_id } = await make('/exceptions', exception)
  const known: Known = {
    ...{ id: [1, label_id ?? 1], product_id: [1], subscription_id: [subscription_id], label_id: [label_id] },
    ...{ run_id: runs, from_run_id: runs, to_run_id: runs, config_id: [config_id], release_id: [1] },
    ...{ exception_id: [exception_id], 'X-Relt-Team': ['me'] },
  }
  const there = Object.entries(known).map(([name, ids]) => [name, ids.filter((id) => id !== undefined)] as const)
  return {
    world: { app: http.app, authorization: headers.authorization },
    known: Object.fromEntries(there.filter(([, ids]) => ids.length > 0)),
  }
}

/** What a request that the document allows can still be answered with; sign-ins with made-up passwords are throttled. */
const refusals = [401, 403, 404, 409]
/** That a key or an exception must expire in the future, which time zones there are, and what a policy says, cannot be said by a schema. */
const isBeyondSchema = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  ('expires_at' in body ||
    'expires_on' in body ||
    'time_zone' in body ||
    'policy' in body ||
    ('settings' in body && isBeyondSchema(body.settings)))

const isRefusal = (path: string, status: number) => refusals.includes(status) || (status === 429 && path === '/session')

/**
 * Sends this many requests that the document allows, and about as many that are wrong in one place. Every answer must be
 * one that the document describes; the first are done, and the others are refused.
 */
export async function answerAsDocumented(role: Role, count: number): Promise<Counts> {
  const { world, known } = await openWorld(role)
  const counts: Counts = { valid: 0, invalid: 0 }
  const runs = Math.ceil(count / operations.length)
  // Too many wrong sign-ins would lock the others out.
  const inOrder = operations.toSorted((a, b) => Number(a.path === '/session') - Number(b.path === '/session'))
  for (const operation of inOrder) {
    const request = toRequest(operation, known)
    const valid = fc.asyncProperty(request, async (generated) => {
      const { status, text } = await check(world, operation, generated)
      counts.valid++
      if (status === 400 && isBeyondSchema(generated.body)) return
      // A caller with several clusters says which. A schema does not know how many there are.
      if (status === 400 && operation.path === '/upgrade-plan' && !generated.query.cluster_name) return
      // Checks may contradict themselves, so that none of them has run. A schema does not compare a total with a list.
      if (status === 400 && operation.path === '/cluster-reports' && text.includes('shows no check that ran')) return
      expect(status < 305 || isRefusal(operation.path, status), `${operation.method} ${operation.path} ${status}`).toBe(
        true,
      )
    })
    await fc.assert(valid, { numRuns: runs })
    const wrong = toWrongRequest(request, operation)
    if (!wrong) continue
    const invalid = fc.asyncProperty(wrong, async (generated) => {
      const { status } = await check(world, operation, generated)
      counts.invalid++
      expect(status, `${operation.method} ${operation.path}`).toBeGreaterThanOrEqual(400)
    })
    await fc.assert(invalid, { numRuns: runs })
  }
  return counts
}

/** Status of an answer, which must be described. */
async function check(
  world: World,
  operation: Operation,
  generated: Generated,
): Promise<{ status: number; text: string }> {
  const response = await send(world, operation, generated)
  const { method, path, responses } = operation
  const described = responses[response.status]
  expect(described, `${method} ${path} answers ${response.status}, which is not described`).toBeDefined()
  const type = response.headers.get('content-type')?.split(';')[0]
  const { status } = response
  const text = await response.text()
  if (!described!.content) return { status, text }
  const content = described!.content[type ?? '']
  expect(content, `${method} ${path} answers with ${type}`).toBeDefined()
  const answer: unknown = type === 'application/json' ? JSON.parse(text) : text
  expect(validate(content!.schema, answer), `${method} ${path} ${status}`).toEqual([])
  return { status, text }
}
