import { describe, expect, test } from 'vitest'
import { openHttp } from './http.ts'

async function open(options = {}) {
  const http = await openHttp(options)
  const { headers } = await http.signUp('ada')
  const batch = (body: unknown, own: Record<string, string> = headers) =>
    http.call('/api/batch/v1', { absolute: true, body, headers: own })
  return { ...http, headers, batch }
}

const toggle = (product_id: unknown, more = {}) => ({ path: '/relt/v1/toggle-sub', body: { product_id }, ...more })
const label = (label_name: string) => ({ path: '/relt/v1/labels', body: { label_name, label_color: '#123456' } })

test('a batch does its requests in order, as their caller', async () => {
  const { batch, call, headers } = await open()
  const { status, body } = await batch({
    requests: [
      label('one'),
      toggle(1),
      { ...label('two'), path: '/api/relt/v1/labels' },
      { method: 'PUT', path: '/relt/v1/labels/1', body: { label_name: 'uno', label_color: '#123456' } },
      { method: 'DELETE', path: '/relt/v1/labels/2?x=1' },
      { method: 'PATCH', path: '/relt/v1/labels/2' },
    ],
  })
  expect(status).toBe(207)
  expect(body.responses.map((each: { status: number }) => each.status)).toEqual([200, 200, 200, 200, 200, 405])
  expect(body.responses[0]).toEqual({
    status: 200,
    headers: expect.objectContaining({ 'content-type': 'application/json; charset=utf-8' }),
    body: { success: true, label_id: 1 },
  })
  const { labels } = (await call('/labels', { headers })).body
  expect(labels.map((each: { label_name: string }) => each.label_name)).toEqual(['uno'])
})

test('one that fails stops no other', async () => {
  const { batch } = await open()
  const { body } = await batch({ requests: [toggle('x'), { path: '/relt/v1/nothing' }, toggle(1)] })
  expect(body.responses.map((each: { status: number }) => each.status)).toEqual([400, 404, 200])
  expect(body.responses[0].body).toMatchObject({
    code: 'rest_invalid_param',
    data: { params: { product_id: expect.any(String) } },
  })
})

describe('a batch whose parts all must be valid', () => {
  const validation = 'require-all-validate'

  test('does nothing when one is not', async () => {
    const { batch, call, headers } = await open()
    const { status, body } = await batch({ validation, requests: [toggle(1), toggle('x'), label('one')] })
    expect(status).toBe(207)
    expect(body).toEqual({
      failed: 'validation',
      responses: [null, expect.objectContaining({ status: 400, body: expect.any(Object) }), null],
    })
    expect((await call('/my-subscriptions', { headers })).body.subscribed_ids).toEqual([])
    expect((await call('/labels', { headers })).body.labels).toEqual([])
  })

  test('does everything once when all are', async () => {
    const { batch, call, headers } = await open()
    const { body } = await batch({ validation, requests: [toggle(1), toggle(2), label('one')] })
    expect(body.responses.map((each: { status: number }) => each.status)).toEqual([200, 200, 200])
    expect((await call('/my-subscriptions', { headers })).body.subscribed_ids).toEqual([1, 2])
  })

  test('does nothing for who is not signed in', async () => {
    const { batch } = await open()
    const { body } = await batch({ validation, requests: [toggle(1)] }, {})
    expect(body).toMatchObject({ failed: 'validation', responses: [{ status: 401 }] })
  })

  test('looks into the reports of uploads', async () => {
    const { batch, call, headers } = await open()
    const upload = (report: unknown) => ({ path: '/relt/v1/cluster-reports', body: { report } })
    const good = { metadata: { clusterName: 'shop' }, checks: { A: { Total: 0 } } }
    const { body } = await batch({ validation, requests: [upload(good), upload({ a: 1 })] })
    expect(body.failed).toBe('validation')
    expect(body.responses[0]).toBeNull()
    expect((await call('/cluster-reports', { headers })).body.total).toBe(0)
  })
})

test.each<[string, unknown, string]>([
  ['nothing', {}, 'requests'],
  ['a list', [], 'body'],
  ['requests that are none', { requests: {} }, 'requests'],
  ['a GET', { requests: [{ method: 'GET', path: '/relt/v1/labels' }] }, 'requests.0.method'],
  ['a method in small letters', { requests: [toggle(1), toggle(1, { method: 'post' })] }, 'requests.1.method'],
  ['no path', { requests: [{ method: 'POST' }] }, 'requests.0.path'],
  ['a path elsewhere', { requests: [{ path: '//evil.example/x' }] }, 'requests.0.path'],
  ['a whole address', { requests: [{ path: 'https://evil.example/' }] }, 'requests.0.path'],
  ['a path with space', { requests: [{ path: '/relt/v1/ labels' }] }, 'requests.0.path'],
  ['a body that is a text', { requests: [toggle(1, { body: 'x' })] }, 'requests.0.body'],
  ['headers that are a list', { requests: [toggle(1, { headers: [] })] }, 'requests.0.headers'],
  ['a header that is a number', { requests: [toggle(1, { headers: { Accept: 1 } })] }, 'requests.0.headers.Accept'],
  ['another validation', { validation: 'none', requests: [] }, 'validation'],
  ['a part that is none', { requests: [null] }, 'requests.0.path'],
])('a batch of %s is refused as a whole', async (_, body, param) => {
  const { batch } = await open()
  const answer = await batch(body)
  expect(answer.status).toBe(400)
  expect(answer.body.code).toBe('rest_invalid_param')
  expect(Object.keys(answer.body.data.params)).toContain(param)
})

test.each(['Authorization', 'authorization', 'Cookie'])(
  'a part with credentials of its own in %s is refused',
  async (name) => {
    const { batch } = await open()
    const answer = await batch({ requests: [toggle(1), toggle(2, { headers: { [name]: 'Basic eDp5' } })] })
    expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } })
    expect(Object.keys(answer.body.data.params)).toEqual([`requests.1.headers.${name}`])
  },
)

test('a batch does not sign in', async () => {
  const { batch } = await open()
  const signIn = { path: '/relt/v1/session', body: { username: 'ada', password: 'x' } }
  expect((await batch({ requests: [signIn, toggle(1)] }, {})).body.responses).toMatchObject([
    { status: 403, body: { code: 'rest_forbidden', message: expect.stringContaining('batch') } },
    { status: 401 },
  ])
  const dry = await batch({ validation: 'require-all-validate', requests: [signIn] })
  expect(dry.body).toMatchObject({ failed: 'validation', responses: [{ status: 403 }] })
})

test('a part has its own idempotency key', async () => {
  const { batch } = await open()
  const upload = (score: number) => ({
    path: '/relt/v1/cluster-reports',
    headers: { 'Idempotency-Key': 'one' },
    body: { report: { metadata: { clusterName: 'shop', score }, checks: { A: { Total: 0 } } } },
  })
  const { body } = await batch({ requests: [upload(1), upload(2)] })
  expect(body.responses.map((each: { status: number }) => each.status)).toEqual([201, 200])
})

test('no batch is in a batch, and no session', async () => {
  const { batch } = await open()
  const { body } = await batch({
    requests: [
      { path: '/batch/v1', body: { requests: [toggle(1)] } },
      { path: '/api/batch/v1', body: { requests: [toggle(1)] } },
      { method: 'DELETE', path: '/relt/v1/session' },
    ],
  })
  expect(body.responses.map((each: { status: number }) => each.status)).toEqual([404, 404, 401])
})

test('each part counts against the rate limit', async () => {
  const { batch } = await open({ rateLimits: { user: 5, address: 0 } })
  const { status, body } = await batch({ requests: Array.from({ length: 10 }, () => toggle(1)) })
  expect(status).toBe(207)
  const statuses = body.responses.map((each: { status: number }) => each.status)
  expect(statuses).toEqual([...Array(4).fill(200), ...Array(6).fill(429)])
  expect(body.responses[9].headers['retry-after']).toBe('12')
})
