import { expect, test } from 'vitest'
import { bodyLimit, uploadLimit } from '../../src/server/http/body.ts'
import { BodyBudget } from '../../src/server/http/body-budget.ts'
import { gzipBomb } from '../helpers/gzip-bomb.ts'
import { scan } from '../reports/scan.ts'
import { openHttp, zipped } from './http.ts'
import { exchange, openServer } from './socket.ts'

async function open() {
  const http = await openHttp()
  const { headers } = await http.signUp('ada')
  return { ...http, headers }
}

test.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.api+json'])(
  'a body may be %s',
  async (type) => {
    const { call, headers } = await open()
    const answer = await call('/labels', {
      body: { label_name: 'a', label_color: '#ffffff' },
      headers: { ...headers, 'content-type': type },
    })
    expect(answer.body).toMatchObject({ success: true })
  },
)

test.each(['/relt/v1/toggle-sub', '/relt/v1/cluster-reports', '/relt/v1/session', '/batch/v1'])(
  'a body for %s needs a type',
  async (path) => {
    const { app, headers } = await open()
    const body = Buffer.from('{"product_id":1}')
    const response = await app.request(`/api${path}`, { method: 'POST', body, headers })
    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({ code: 'rest_unsupported_media_type' })
  },
)

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/jsonx',
  'json',
  'text/json',
])('a body may not be %s', async (type) => {
  const { call, headers } = await open()
  const answer = await call('/toggle-sub', { body: '{}', headers: { ...headers, 'content-type': type } })
  expect(answer).toMatchObject({ status: 415, body: { code: 'rest_unsupported_media_type' } })
})

test.each([
  '{',
  '{"product_id":}',
  'product_id=1',
  '{"a":1}{"a":1}',
  '\u0000',
  '{"product_id":1',
  '{"__proto__":{}}',
  ' ',
])('the body %j is no JSON', async (body) => {
  const { call, headers } = await open()
  expect(await call('/toggle-sub', { body, headers })).toMatchObject({
    status: 400,
    body: { code: 'rest_invalid_json' },
  })
  expect(await call('/cluster-reports', { body, headers })).toMatchObject({
    status: 400,
    body: { code: 'rest_invalid_json' },
  })
})

test.each(['[]', '"x"', '1', 'null', 'true', '{}'])('the body %s is no object of the right shape', async (body) => {
  const { call, headers } = await open()
  for (const path of [
    '/toggle-sub',
    '/cluster-reports',
    '/labels',
    ...(body === '{}' ? [] : ['/trigger-digest-email']),
  ]) {
    const answer = await call(path, { body, headers })
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('rest_invalid_param')
  }
})

test('no body counts as an empty one', async () => {
  const { call, headers } = await open()
  const answer = await call('/toggle-sub', { method: 'POST', headers })
  expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } })
})

test('a body may be packed with gzip, not otherwise', async () => {
  const { call, headers } = await open()
  const send = (encoding: string, body: Uint8Array) =>
    call('/toggle-sub', { body, headers: { ...headers, 'content-encoding': encoding } })
  expect((await send('gzip', zipped({ product_id: 1 }))).status).toBe(200)
  expect((await send('GZIP', zipped({ product_id: 1 }))).status).toBe(200)
  for (const encoding of ['br', 'deflate', 'zstd', 'gzip, gzip', 'x', '']) {
    expect((await send(encoding, zipped({ product_id: 1 }))).status).toBe(415)
  }
  expect((await send('gzip', Buffer.from('{"product_id":1}'))).body.code).toBe('rest_invalid_json')
  expect((await send('gzip', zipped({ product_id: 1 }).subarray(0, 20))).body.code).toBe('rest_invalid_json')
})

test.each([
  ['no body', ''],
  ['a body of no bytes', 'Content-Length: 0\r\n'],
  ['a chunked body without chunks', 'Transfer-Encoding: chunked\r\n'],
])('refuses %s that claims to be packed', async (_, framing) => {
  const { port, headers } = await openServer()
  const send = async (encoding: string) => {
    const head =
      'PUT /api/relt/v1/account/settings HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n' +
      `Authorization: ${headers.authorization}\r\nContent-Encoding: ${encoding}\r\n${framing}\r\n`
    return exchange(port, framing.startsWith('Transfer') ? `${head}0\r\n\r\n` : head, { end: false })
  }
  expect(await send('gzip')).toMatch(/^HTTP\/1.1 400 [\s\S]*"rest_invalid_json"/)
  expect(await send('br')).toMatch(/^HTTP\/1.1 415 /)
  expect(await send('identity')).toMatch(/^HTTP\/1.1 200 /)
})

test('a body beyond the limit is refused, however it is sent', async () => {
  const { call, headers } = await open()
  const body = { product_id: 1, filling: 'x'.repeat(bodyLimit) }
  const refused = { status: 413, body: { code: 'rest_upload_too_large', message: 'The body is larger than 1 MB.' } }
  expect(await call('/toggle-sub', { body, headers })).toMatchObject(refused)
  const packed = zipped(body)
  expect(packed.length).toBeLessThan(10_000)
  expect(
    await call('/toggle-sub', { body: packed, headers: { ...headers, 'content-encoding': 'gzip' } }),
  ).toMatchObject(refused)
  const declared = { ...headers, 'content-length': String(bodyLimit + 1) }
  expect(await call('/toggle-sub', { body: '{}', headers: declared })).toMatchObject(refused)
})

test('a report may be larger, up to its own limit', async () => {
  const { call, headers } = await open()
  const report = scan(
    Array.from({ length: 20_000 }, (_, i) => ({ resource: `pod/p${i}`, message: 'is wrong'.repeat(10) })),
  )
  const upload = JSON.stringify({ report })
  expect(upload.length).toBeGreaterThan(2 * bodyLimit)
  expect((await call('/cluster-reports', { body: upload, headers })).status).toBe(201)
  const bomb = gzipBomb(uploadLimit + 1, ' ')
  expect(bomb.length).toBeLessThan(200_000)
  const answer = await call('/cluster-reports', { body: bomb, headers: { ...headers, 'content-encoding': 'gzip' } })
  expect(answer).toMatchObject({ status: 413, body: { message: 'The body is larger than 100 MB.' } })
})

test('whoever may not upload is told before the body is read', async () => {
  const { app, headers, signUp } = await open()
  const free = await signUp('bob', { plan: 'free' })
  let pulled = 0
  const body = () =>
    new ReadableStream({
      pull: (controller) => {
        pulled++
        controller.enqueue(new Uint8Array(1000))
      },
    })
  const send = (own: Record<string, string>) =>
    app.request('/api/relt/v1/cluster-reports', {
      method: 'POST',
      body: body(),
      headers: { ...own, 'content-type': 'application/json' },
      duplex: 'half',
    } as never)
  expect((await send({})).status).toBe(401)
  expect((await send(free.headers)).status).toBe(403)
  expect(pulled).toBeLessThan(5)
  expect((await send(headers)).status).toBe(413)
})

test('bodies together take no more than there is room for, and make room again', async () => {
  const bodyBudget = new BodyBudget({ total: 100_000, perOwner: 50_000 })
  const { call, signUp } = await openHttp({ bodyBudget })
  const { headers } = await signUp('ada')
  const upload = (size: number) =>
    call('/cluster-reports', { headers, body: { report: scan([{ message: 'x'.repeat(size) }]) } })
  expect(await upload(100_000)).toMatchObject({ status: 503, body: { code: 'relt_busy' } })
  expect(bodyBudget.free).toBe(100_000)
  for (let i = 0; i < 5; i++) expect((await upload(60_000 + i)).status).toBe(201)
  expect((await call('/cluster-reports', { headers, body: '{' })).status).toBe(400)
  expect(bodyBudget.free).toBe(100_000)
})

test('a report is kept as it came, with what surrounds it', async () => {
  const { call, headers } = await open()
  const body = `{"environment":"test","report": {"metadata":{"clusterName":"shop","x":1.50},"checks":{"A":{"Total":0}}} ,"cluster":{"name":"blue"}}`
  const { status, body: uploaded } = await call('/cluster-reports', { body, headers })
  expect(status).toBe(201)
  const run = (await call(`/cluster-reports/${uploaded.run_id}?include_report=true`, { headers })).body
  expect(run).toMatchObject({ cluster_name: 'blue', environment: 'test', report: { metadata: { x: 1.5 } } })
  expect(run.size_bytes).toBe('{"metadata":{"clusterName":"shop","x":1.50},"checks":{"A":{"Total":0}}}'.length)
})

test.each(['null', undefined])('an upload whose report is %s has none', async (report) => {
  const { call, headers } = await open()
  const body = report === undefined ? '{"environment":"x"}' : `{"report": ${report} }`
  expect(await call('/cluster-reports', { body, headers })).toMatchObject({
    status: 400,
    body: { code: 'rest_invalid_param', data: { params: { report: 'is required' } } },
  })
})

test.each(['[]', '1', '"{}"', 'true'])('a report that is %s is invalid', async (report) => {
  const { call, headers } = await open()
  expect(await call('/cluster-reports', { body: `{"report":${report}}`, headers })).toMatchObject({
    status: 400,
    body: { code: 'rest_invalid_param', data: { params: { report: expect.any(String) } } },
  })
})

test('an upload with two reports is refused', async () => {
  const { call, headers } = await open()
  const body = '{"report":{"checks":{}},"report":{"checks":{}}}'
  expect((await call('/cluster-reports', { body, headers })).body.code).toBe('rest_invalid_json')
})

test('the same report again, or the same key, answers with the first run', async () => {
  const { call, headers } = await open()
  const upload = (message: string, more = {}) =>
    call('/cluster-reports', { body: { report: scan([{ message }]) }, headers: { ...headers, ...more } })
  const key = { 'idempotency-key': 'build-4711' }
  const first = await upload('one', key)
  expect(first.status).toBe(201)
  const again = [await upload('one'), await upload('two', key)]
  for (const answer of again) {
    expect(answer).toMatchObject({ status: 200, body: { run_id: first.body.run_id, duplicate: true } })
  }
  expect((await upload('two')).status).toBe(201)
  expect((await upload('three', { 'idempotency-key': '' })).status).toBe(201)
})

test.each(['x'.repeat(256), 'two words'])('%j is no idempotency key', async (key) => {
  const { call, headers } = await open()
  const answer = await call('/cluster-reports', {
    body: { report: scan([]) },
    headers: { ...headers, 'idempotency-key': key },
  })
  expect(answer).toMatchObject({ status: 400, body: { message: 'Invalid parameter(s): Idempotency-Key' } })
})
