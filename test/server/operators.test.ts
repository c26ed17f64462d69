import { expect, test } from 'vitest'
import { basic, openHttp } from './http.ts'

test('a server tells that it lives, and whether its store answers', async () => {
  const { call, service } = await openHttp()
  expect(await call('/healthz', { absolute: true })).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(await call('/readyz', { absolute: true })).toMatchObject({ status: 200, body: { status: 'ready' } })
  await service.db.destroy()
  expect(await call('/readyz', { absolute: true })).toMatchObject({ status: 503, body: { status: 'unavailable' } })
  expect((await call('/healthz', { absolute: true })).status).toBe(200)
})

test('a server that goes down is not ready and takes nothing new', async () => {
  const { call } = await openHttp({ isStopping: () => true })
  expect((await call('/readyz', { absolute: true })).status).toBe(503)
  const answer = await call('/stats')
  expect(answer).toMatchObject({ status: 503, body: { code: 'relt_busy' } })
  expect(answer.headers.get('connection')).toBe('close')
})

test('requests are counted by the name of their route', async () => {
  const { call } = await openHttp()
  await call('/projects/1')
  await call('/projects/2')
  await call('/projects/x')
  await call('/nothing/at/all')
  await call('/stats', { method: 'PROPFIND' })
  const { headers, body } = await call('/metrics', { absolute: true })
  expect(headers.get('content-type')).toContain('text/plain')
  expect(body).toContain('relt_http_requests_total{route="getProject",method="GET",status="200"} 2')
  expect(body).toContain('relt_http_requests_total{route="getProject",method="GET",status="404"} 1')
  expect(body).toContain('relt_http_requests_total{route="none",method="GET",status="404"} 1')
  expect(body).toContain('relt_http_requests_total{route="none",method="other",status="405"} 1')
  expect(body).toContain('relt_http_request_duration_seconds_bucket')
  expect(body).toContain('process_resident_memory_bytes')
})

test('nothing secret gets into the log', async () => {
  const { call, signUp, log } = await openHttp()
  const { headers, key } = await signUp('ada', { password: 'hidden password' })
  await call('/session', { body: { username: 'ada', password: 'hidden password' } })
  const session = await call('/session', { body: { username: 'ada', password: 'hidden-wrong' } })
  await call('/labels', { headers, body: { label_name: 'hidden name', label_color: 'hidden' } })
  await call('/api-keys', { headers, body: { name: 'hidden name' } })
  await call('/projects?search=hidden', { headers: { authorization: basic('ada', 'hidden key') } })
  await call('/cluster-reports', { headers, body: '{"hidden' })
  expect(session.status).toBe(401)
  expect(log.entries.length).toBe(6)
  expect(log.text).not.toContain('hidden')
  expect(log.text).not.toContain(key)
  expect(log.text).not.toContain(basic('ada', key).slice(6))
})
