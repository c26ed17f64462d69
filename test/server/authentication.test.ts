import { expect, test } from 'vitest'
import { issueKey } from '../../src/operations/accounts/api-key.ts'
import { listAudit } from '../../src/store/accounts/audit.ts'
import { basic, openHttp } from './http.ts'

test('a login and its key sign in, with the spaces of the key and without', async () => {
  const { call, signUp } = await openHttp()
  const { key } = await signUp('ada')
  for (const password of [key, key.replaceAll(' ', '')]) {
    const answer = await call('/dashboard', { headers: { authorization: basic('ada', password) } })
    expect(answer).toMatchObject({ status: 200, body: { user_login: 'ada' } })
  }
})

test.each<[string, (key: string) => string]>([
  ['a wrong key', () => basic('ada', 'abcd efgh ijkl mnop qrst uvwx')],
  ['another login', (key) => basic('bob', key)],
  ['an email address', (key) => basic('ada@example.com', key)],
  ['no login', (key) => basic('', key)],
  ['no colon', () => `Basic ${Buffer.from('ada').toString('base64')}`],
  ['no base64', () => 'Basic ###'],
  ['nothing', () => 'Basic'],
  ['another scheme', () => 'Bearer token'],
  ['spaces elsewhere', (key) => basic('ada', ` ${key}`)],
  ['far too much', () => `Basic ${'A'.repeat(5000)}`],
])('%s is refused, also where nothing is needed', async (_, authorizationOf) => {
  const { call, signUp } = await openHttp()
  const { key } = await signUp('ada')
  for (const path of ['/stats', '/dashboard', '/my-subscriptions', '/nothing']) {
    const answer = await call(path, { headers: { authorization: authorizationOf(key) } })
    expect(answer).toMatchObject({ status: 401, body: { code: 'rest_forbidden' } })
    expect(answer.body.message).toContain('Authentication is required')
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="relt"')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  }
})

test('without credentials the catalog answers, the rest asks for them', async () => {
  const { call } = await openHttp()
  expect((await call('/stats')).status).toBe(200)
  expect(await call('/my-subscriptions')).toMatchObject({ status: 200, body: { subscribed_ids: [] } })
  const answer = await call('/dashboard')
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toBe('Basic realm="relt"')
})

test('ten wrong keys make further wrong ones wait, and never a right one', async () => {
  const { call, signUp, clock } = await openHttp()
  const { headers } = await signUp('ada')
  const wrong = { authorization: basic('ada', 'wrong') }
  for (let i = 0; i < 10; i++) expect((await call('/stats', { headers: wrong })).status).toBe(401)
  const answer = await call('/stats', { headers: wrong })
  expect(answer).toMatchObject({ status: 429, body: { code: 'rest_too_many_requests' } })
  expect(answer.headers.get('retry-after')).toBe('6')
  expect((await call('/stats', { headers })).status).toBe(200)
  expect((await call('/stats')).status).toBe(200)
  clock.now += 60
  expect((await call('/stats', { headers: wrong })).status).toBe(401)
})

test('right tries never wait', async () => {
  const { call, signUp } = await openHttp()
  const { headers } = await signUp('ada')
  for (let i = 0; i < 50; i++) expect((await call('/dashboard', { headers })).status).toBe(200)
})

test('an expired key is refused with the reason, audited, and does not count as a guess', async () => {
  const { call, signUp, service, db, clock } = await openHttp()
  const { user } = await signUp('ada')
  const request = { userId: user.id, name: 'x', expires_at: clock.now + 60 }
  const { password } = await issueKey(service, request, clock.now)
  const headers = { authorization: basic('ada', password) }
  expect((await call('/dashboard', { headers })).status).toBe(200)
  clock.now += 60
  for (let i = 0; i < 30; i++) {
    const answer = await call('/dashboard', { headers })
    expect(answer).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining('this API key expired at ') },
    })
  }
  expect(await call('/dashboard', { headers: { authorization: basic('bob', password) } })).toMatchObject({
    status: 401,
    body: {
      message: 'Authentication is required: the login name or the key is wrong, or the key was revoked or has expired.',
    },
  })
  const { items } = await listAudit(db, { login: 'ada' }, { page: 1, perPage: 1 })
  expect(items).toMatchObject([{ action: 'key.refuse', login: 'ada' }])
})

test('a revoked key signs in no more', async () => {
  const { call, signUp } = await openHttp()
  const { headers } = await signUp('ada')
  const { keys } = (await call('/api-keys', { headers })).body
  expect((await call(`/api-keys/${keys[0].uuid}`, { method: 'DELETE', headers })).status).toBe(200)
  expect((await call('/api-keys', { headers })).status).toBe(401)
})

const password = 'correct horse battery staple'

async function openSession(options = {}) {
  const http = await openHttp(options)
  const { user } = await http.signUp('ada', { password })
  const answer = await http.call('/session', { body: { username: 'ada', password } })
  const [cookie = ''] = answer.headers.getSetCookie()
  return { ...http, user, answer, setCookie: cookie, cookie: cookie.split(';')[0]!, nonce: answer.body.nonce as string }
}

test('a session is a cookie and a nonce', async () => {
  const { answer, setCookie, cookie, nonce, call } = await openSession()
  expect(answer).toMatchObject({ status: 200, body: { success: true, nonce: expect.stringMatching(/\w{16}/) } })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(setCookie).toMatch(/^relt_session=[\w-]{20,}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
  const headers = { cookie, 'x-wp-nonce': nonce }
  expect(await call('/dashboard', { headers })).toMatchObject({ status: 200, body: { user_login: 'ada' } })
  expect((await call(`/dashboard?_wpnonce=${nonce}`, { headers: { cookie } })).status).toBe(200)
  expect((await call('/toggle-sub', { headers, body: { product_id: 1 } })).body.subscribed).toBe(true)
})

test('another cookie of the same name hides no session', async () => {
  const { cookie, nonce, call } = await openSession()
  const planted = ['relt_session=planted', 'relt_session=', `relt_session=${'x'.repeat(3000)}`]
  for (const other of planted) {
    for (const both of [`${other}; ${cookie}`, `${cookie}; ${other}`]) {
      const { status } = await call('/dashboard', { headers: { cookie: both, 'x-wp-nonce': nonce } })
      expect(status).toBe(200)
    }
  }
})

test('a session without its nonce is nobody', async () => {
  const { cookie, nonce, call } = await openSession()
  for (const headers of [{ cookie }, { cookie, 'x-wp-nonce': 'x' }, { 'x-wp-nonce': nonce }]) {
    expect((await call('/dashboard', { headers })).status).toBe(401)
  }
  const catalog = await call('/stats', { headers: { cookie } })
  expect(catalog.status).toBe(200)
  expect(catalog.headers.get('cache-control')).toBe('no-store')
  const refused = await call('/dashboard', { headers: { cookie } })
  expect(refused.headers.get('www-authenticate')).toBeNull()
  expect((await call('/my-subscriptions', { headers: { cookie } })).body).toEqual({ subscribed_ids: [] })
})

test('the current session is shown, and ended', async () => {
  const { cookie, nonce, call } = await openSession()
  const headers = { cookie, 'x-wp-nonce': nonce }
  expect((await call('/session', { headers: { cookie } })).body).toMatchObject({ nonce, user: { login: 'ada' } })
  expect((await call('/session', { method: 'DELETE', headers: { cookie } })).status).toBe(401)
  const ended = await call('/session', { method: 'DELETE', headers })
  expect(ended.status).toBe(200)
  expect(ended.headers.get('set-cookie')).toContain('relt_session=; Max-Age=0')
  expect((await call('/dashboard', { headers })).status).toBe(401)
  expect((await call('/session', { headers })).status).toBe(401)
})

test('a session ends by itself', async () => {
  const { cookie, nonce, call, clock } = await openSession()
  clock.now += 30 * 86_400
  expect((await call('/dashboard', { headers: { cookie, 'x-wp-nonce': nonce } })).status).toBe(401)
})

test('a cookie nobody was given is nobody', async () => {
  const { call } = await openHttp()
  for (const cookie of ['relt_session=x', `relt_session=${'x'.repeat(3000)}`, 'relt_session=%ff', 'relt_session=']) {
    expect((await call('/stats', { headers: { cookie } })).status).toBe(200)
    expect((await call('/dashboard', { headers: { cookie, 'x-wp-nonce': 'x' } })).status).toBe(401)
  }
})

test('signing in fails without telling why, and is slowed down', async () => {
  const { call, signUp } = await openHttp()
  await signUp('ada', { password })
  const tries = [
    { username: 'ada', password: 'wrong' },
    { username: 'nobody', password },
    { username: 'ada@example.com', password },
  ]
  const messages = new Set<string>()
  for (const body of tries) {
    const answer = await call('/session', { body })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBeNull()
    messages.add(answer.body.message)
  }
  expect(messages.size).toBe(1)
  const more = await Promise.all(Array.from({ length: 12 }, () => call('/session', { body: tries[0] })))
  expect(more.filter(({ status }) => status === 429)).toHaveLength(5)
  expect((await call('/session', { body: { username: 'ada', password } })).status).toBe(429)
})

test('a sign-in needs both of its fields', async () => {
  const { call } = await openHttp()
  expect(await call('/session', { body: {} })).toMatchObject({
    status: 400,
    body: {
      code: 'rest_invalid_param',
      data: { params: { username: 'is required', password: 'is required' } },
    },
  })
  for (const body of [[], { username: 1, password: 'x' }, { username: 'ada', password: 'x'.repeat(1001) }]) {
    expect(await call('/session', { body })).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } })
  }
})

test('a key opens no session', async () => {
  const { call, signUp } = await openHttp()
  const { key } = await signUp('ada')
  expect((await call('/session', { body: { username: 'ada', password: key } })).status).toBe(401)
})
