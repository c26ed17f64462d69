import { expect, test } from 'vitest'
import { routes } from '../../src/contract/routes.ts'
import { ReltError } from '../../src/errors.ts'
import { basePath } from '../../src/server/http/base-path.ts'
import { openHttp } from './http.ts'

test('every route of the table has an address that answers', async () => {
  const { app } = await openHttp()
  for (const [name, { method, path, access }] of Object.entries(routes)) {
    const response = await app.request(basePath + path.replace(/\{\w+\}/g, '1'), { method })
    const { code, message } = (await response.json()) as { code?: string; message?: string }
    expect(message, name).not.toBe('No route was found for this address and method.')
    if (access !== 'public') expect([response.status, code], name).toEqual([401, 'rest_forbidden'])
  }
})

test.each([
  ['GET', '/nothing'],
  ['GET', '/projects/1/2/3'],
  ['DELETE', '/nothing'],
])('%s %s is no route', async (method, path) => {
  const { call } = await openHttp()
  const { status, body } = await call(path, { method })
  expect(status).toBe(404)
  expect(body).toEqual({ code: 'rest_no_route', message: expect.any(String), data: { status: 404 } })
})

test.each(['/api', '/api/relt', '/api/relt/v2/stats', '/favicon.ico', '/API/relt/v1/stats'])(
  '%s is no route either',
  async (path) => {
    const { call } = await openHttp()
    expect(await call(path, { absolute: true })).toMatchObject({ status: 404, body: { code: 'rest_no_route' } })
  },
)

test.each(['/projects/x', '/projects/999999', '/projects/%00', '/projects/%ff', '/projects/%2e%2e', '/product/1%2F2'])(
  '%s does not exist',
  async (path) => {
    const { call } = await openHttp()
    expect(await call(path)).toMatchObject({ status: 404, body: { code: 'rest_no_route' } })
  },
)

test('an invalid parameter is named with its reason', async () => {
  const { call } = await openHttp()
  const { status, body } = await call('/projects?per_page=101&cncf_status=x')
  expect(status).toBe(400)
  expect(body).toEqual({
    code: 'rest_invalid_param',
    message: 'Invalid parameter(s): per_page, cncf_status',
    data: { status: 400, params: { per_page: 'must be at most 100', cncf_status: expect.any(String) } },
  })
})

test.each(['page=1&page=2', 'page[]=1&page=1', 'per_page=', 'per_page=%ff', 'search=%00', 'page=1;page=2'])(
  'odd query %s is refused or ignored, never a failure',
  async (query) => {
    const { call } = await openHttp()
    expect([200, 400]).toContain((await call(`/projects?${query}`)).status)
  },
)

test('a parameter given twice is invalid', async () => {
  const { call } = await openHttp()
  expect((await call('/projects?page=1&page=1')).body.data.params).toHaveProperty('page')
})

test('names that reach prototypes reach nothing', async () => {
  const { call } = await openHttp()
  const query = '__proto__=1&__proto__=2&constructor=x&toString=y&__proto__[page]=0'
  expect((await call(`/projects?${query}`)).status).toBe(200)
})

test('what is missing is told to be missing', async () => {
  const { call, signUp } = await openHttp()
  const { headers } = await signUp('ada')
  const { status, body } = await call('/toggle-sub', { body: {}, headers })
  expect(status).toBe(400)
  expect(body).toMatchObject({
    code: 'rest_invalid_param',
    message: 'Missing parameter(s): product_id',
    data: { params: { product_id: expect.any(String) } },
  })
})

test('a plan that does not reach gets 403, a role too', async () => {
  const { call, signUp } = await openHttp()
  const { headers } = await signUp('ada', { plan: 'free' })
  expect(await call('/cluster-reports', { headers })).toMatchObject({
    status: 403,
    body: { code: 'rest_forbidden', message: 'API access requires a Pro plan.' },
  })
  expect((await call('/existing-releases', { headers })).status).toBe(403)
  expect((await call('/cluster-reports', { headers, body: 'x'.repeat(10) })).status).toBe(403)
})

test('a failure of ours tells its request id and nothing of its cause', async () => {
  const { call, service, signUp, log } = await openHttp()
  const { headers } = await signUp('ada')
  const open = service.vault
  let calls = 0
  service.vault = async () => {
    // The first call signs in.
    if (calls++ === 0) return open()
    throw new Error('secret cause at /home/somebody')
  }
  const body = { name: 'blue' }
  const answer = await call('/api-keys', { headers: { ...headers, 'x-request-id': 'request-4711' }, body })
  expect(answer.status).toBe(500)
  expect(answer.body.code).toBe('rest_internal_error')
  expect(answer.body.message).toContain('request-4711')
  expect(JSON.stringify(answer.body)).not.toContain('secret')
  expect(log.entries.find((entry) => entry.level === 'error')).toMatchObject({
    request_id: 'request-4711',
    err: { message: 'secret cause at /home/somebody' },
  })
})

test('a busy store is no failure of ours', async () => {
  const { call, service, signUp } = await openHttp()
  const { headers } = await signUp('ada')
  service.vault = async () => {
    throw new ReltError('busy', 'The store is busy.')
  }
  const answer = await call('/stats', { headers })
  expect(answer).toMatchObject({ status: 503, body: { code: 'relt_busy' } })
  expect(answer.headers.get('retry-after')).toBe('5')
})

test.each([['abcdefgh'], ['0b5cbb06-2b1c-4bd4-9ef3-0a8d6d9d5c11']])('the request id %s is kept', async (id) => {
  const { call } = await openHttp()
  expect((await call('/stats', { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toBe(id)
})

test.each(['short', 'x'.repeat(65), 'with space', 'a"b<c>d{e}f'])('the request id %j is replaced', async (id) => {
  const { call } = await openHttp()
  const { headers } = await call('/nothing', { headers: { 'x-request-id': id } })
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test.each(['/stats', '/nothing', '/subscriptions', '/projects?page=0'])(
  '%s has the headers that protect',
  async (path) => {
    const { call } = await openHttp()
    const { headers } = await call(path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('access-control-allow-origin')).toBeNull()
  },
)
