import { expect, test } from 'vitest'
import { openHttp } from './http.ts'
import { openServer } from './socket.ts'

const password = 'correct horse battery staple'

async function open() {
  const http = await openHttp()
  const { headers } = await http.signUp('ada', { password })
  const answer = await http.call('/session', { body: { username: 'ada', password } })
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
  return { ...http, credentials: { key: headers, session: { cookie, 'x-wp-nonce': answer.body.nonce as string } } }
}

const create = { body: { name: 'stolen' } }

test.each(['cross-site', 'same-site', 'anything'])('a change that a page asks for %s is refused', async (site) => {
  const { call, credentials } = await open()
  for (const headers of [credentials.key, credentials.session]) {
    const foreign = { ...headers, 'sec-fetch-site': site }
    expect(await call('/api-keys', { ...create, headers: foreign })).toMatchObject({
      status: 403,
      body: { code: 'rest_forbidden' },
    })
    expect((await call('/labels/1', { method: 'DELETE', headers: foreign })).status).toBe(403)
    expect((await call('/api/batch/v1', { absolute: true, body: { requests: [] }, headers: foreign })).status).toBe(403)
    expect((await call('/api-keys', { headers: foreign })).body.keys).toHaveLength(1)
  }
  const signIn = { body: { username: 'ada', password }, headers: { 'sec-fetch-site': site } }
  expect((await call('/session', signIn)).status).toBe(403)
})

test.each(['same-origin', 'none'])('a change that is asked for %s passes', async (site) => {
  const { call, credentials } = await open()
  for (const headers of [credentials.key, credentials.session]) {
    expect((await call('/api-keys', { ...create, headers: { ...headers, 'sec-fetch-site': site } })).status).toBe(200)
  }
})

test('over plain HTTP, where browsers send no Sec-Fetch-Site, the origin counts', async () => {
  const { url, headers } = await openServer()
  const { host, hostname } = new URL(url)
  const ask = async (more: Record<string, string>) => {
    const response = await fetch(`${url}/api/relt/v1/trigger-digest-email`, {
      method: 'POST',
      headers: { ...headers, ...more },
    })
    return response.status
  }
  expect(await ask({ origin: `http://${hostname}:1` })).toBe(403)
  expect(await ask({ origin: 'null' })).toBe(403)
  expect(await ask({ origin: 'https://evil.example' })).toBe(403)
  expect(await ask({})).toBe(200)
  expect(await ask({ origin: `http://${host}` })).toBe(200)
  expect(await ask({ origin: 'https://relt.example', 'x-forwarded-host': 'relt.example' })).toBe(200)
})
