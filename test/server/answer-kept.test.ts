import { expect, onTestFinished, test } from 'vitest'
import type { HttpOptions } from '../../src/server/http/app.ts'
import { basePath } from '../../src/server/http/base-path.ts'
import { listen } from '../../src/server/http/listen.ts'
import { openHttp } from './http.ts'

/** On a socket; `kept` tells which requests were answered from the cache, which keeps what is asked for twice. */
async function openSocket(options: Partial<HttpOptions> = {}) {
  const opened = await openHttp(options)
  const kept: boolean[] = []
  const answerKept: typeof opened.http.answerKept = (incoming, outgoing) => {
    const answered = opened.http.answerKept(incoming, outgoing)
    kept.push(answered)
    return answered
  }
  const { url, stop } = await listen({ ...opened.http, answerKept }, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => stop(0))
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(url + basePath + path, { method, headers: { 'accept-encoding': 'identity', ...headers } })
  return { ...opened, kept, get }
}

const toHeaders = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)))

test('an answer from the cache is the answer of the application', async () => {
  const { get, kept } = await openSocket()
  await get('/projects?search=argo')
  const first = await get('/projects?search=argo')
  const second = await get('/projects?search=argo')
  expect(kept).toEqual([false, false, true])
  expect(second.status).toBe(200)
  expect(toHeaders(second)).toEqual(toHeaders(first))
  expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  expect(await second.text()).toBe(await first.text())
})

test('what the caller has is not sent again, and the request keeps its id', async () => {
  const { get, kept } = await openSocket()
  await get('/stats')
  const etag = (await get('/stats')).headers.get('etag')!
  const again = await get('/stats', { 'if-none-match': etag, 'x-request-id': 'my-own-request' })
  expect(kept).toEqual([false, false, true])
  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')
  expect(again.headers.get('x-request-id')).toBe('my-own-request')
  expect(again.headers.get('etag')).toBe(etag)
})

test('a packed answer goes out once the application has packed it', async () => {
  const { get, kept } = await openSocket()
  await get('/projects')
  const bodies = []
  for (let i = 0; i < 4; i++) {
    const packed = await get('/projects', { 'accept-encoding': 'gzip' })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    bodies.push(await packed.text())
  }
  expect(kept).toEqual([false, false, false, true, true])
  expect(new Set(bodies).size).toBe(1)
})

test.each<[string, Record<string, string>, string]>([
  ['with credentials', { authorization: 'Basic x' }, 'GET'],
  ['with a cookie', { cookie: 'relt_session=x' }, 'GET'],
  ['for the head alone', {}, 'HEAD'],
])('a request %s goes through the application', async (_, headers, method) => {
  const { get, kept } = await openSocket()
  await get('/stats')
  await get('/stats')
  await get('/stats', headers, method)
  expect(kept).toEqual([false, false, false])
})

test('what is kept counts for the rate limit, the log and the metrics', async () => {
  const { get, kept, log, call } = await openSocket({ rateLimits: { user: 0, address: 4 } })
  const statuses = []
  for (let i = 0; i < 5; i++) statuses.push((await get('/stats')).status)
  expect(statuses).toEqual([200, 200, 200, 200, 429])
  expect(kept).toEqual([false, false, true, true, false])
  expect(log.entries.map(({ path, status }) => [path, status])).toEqual([
    ...Array(4).fill(['/api/relt/v1/stats', 200]),
    ['/api/relt/v1/stats', 429],
  ])
  expect(new Set(log.entries.map((entry) => entry.request_id)).size).toBe(5)
  const metrics = (await call('/metrics', { absolute: true })).body
  expect(metrics).toContain('relt_http_requests_total{route="getStats",method="GET",status="200"} 4')
})

test('nothing is kept once the server is going down', async () => {
  let stopping = false
  const { get, kept } = await openSocket({ isStopping: () => stopping })
  await get('/stats')
  await get('/stats')
  stopping = true
  expect((await get('/stats')).status).toBe(503)
  expect(kept).toEqual([false, false, false])
})
