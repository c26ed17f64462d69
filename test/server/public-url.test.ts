import { describe, expect, test } from 'vitest'
import { exchange, openServer } from './socket.ts'

const host = 'relt.example'
const publicUrl = `https://${host}`
const base = '/api/relt/v1'

/** Behind a proxy that ends TLS for `relt.example`. */
async function open(env = { RELT_PUBLIC_URL: publicUrl }) {
  const server = await openServer({ trustProxy: true }, env)
  const { headers, port } = server
  const { login = '', password = '' } = server.told.admin ?? {}
  async function ask(path: string, more: Record<string, string> = {}, body?: string) {
    const type = path.startsWith('/api') ? 'application/json' : 'application/x-www-form-urlencoded'
    const lines = Object.entries({
      host,
      'x-forwarded-proto': 'https',
      connection: 'close',
      ...(body !== undefined && { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }),
      ...more,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    const method = body === undefined ? 'GET' : 'POST'
    const answer = await exchange(port, `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`, {
      end: false,
    })
    const [head = '', text = ''] = answer.split(/\r\n\r\n([\s\S]*)/)
    return { status: Number(head.split(' ')[1]), head, text }
  }
  const form = new URLSearchParams({ username: login, password }).toString()
  const signIn = (more = {}) => ask('/sign-in', more, form)
  const openSession = (more = {}) => ask(`${base}/session`, more, JSON.stringify({ username: login, password }))
  return { ...server, ask, signIn, openSession, headers }
}

describe('with RELT_PUBLIC_URL, another host', () => {
  test.each(['127.0.0.1', 'rebound.example', `${host}:8443`, `${host}.evil.example`])(
    '%s opens no session',
    async (other) => {
      const { ask, signIn, openSession } = await open()
      for (const refused of [await signIn({ host: other }), await openSession({ host: other })]) {
        expect([refused.status, refused.text]).toEqual([
          400,
          expect.stringContaining(`This server is at ${publicUrl}.`),
        ])
        expect(refused.head).not.toMatch(/set-cookie/i)
      }
      for (const path of ['/', '/sign-in', '/agents']) {
        expect(await ask(path, { host: other, accept: 'text/html' })).toMatchObject({ status: 400 })
      }
    },
  )

  test('uses no session', async () => {
    const { ask, signIn } = await open()
    const [, cookie = ''] = /set-cookie: ([^;]+)/i.exec((await signIn()).head) ?? []
    expect((await ask(`${base}/session`, { cookie })).status).toBe(200)
    expect((await ask('/agents', { cookie })).status).toBe(200)
    for (const path of [`${base}/session`, `${base}/stats`, '/agents', '/']) {
      expect((await ask(path, { cookie, host: 'rebound.example' })).status).toBe(400)
    }
  })

  test.each(['/healthz', '/readyz', '/metrics', `${base}/stats`, `${base}/openapi.json`])(
    'answers %s to probes',
    async (path) => {
      const { ask } = await open()
      expect((await ask(path, { host: '10.1.2.3:8080' })).status).toBe(200)
    },
  )

  test('answers requests with an API key, and links to the public address', async () => {
    const { ask, headers } = await open()
    const created = await ask(`${base}/feeds`, { ...headers, host: '10.1.2.3:8080' }, '{}')
    expect(created.status).toBeLessThan(300)
    const { pathname, search } = new URL(JSON.parse(created.text).url ?? JSON.parse(created.text).feed.url)
    const feed = await ask(pathname + search, { host: 'rebound.example' })
    expect(feed.text).toContain(`${publicUrl}/`)
    expect(created.text + feed.text).not.toMatch(/rebound\.example|10\.1\.2\.3/)
  })
})

describe('over TLS', () => {
  test('cookies are of this host alone', async () => {
    const { signIn } = await open()
    const cookies = [...(await signIn()).head.matchAll(/set-cookie: ([^\r]+)/gi)].map(([, cookie]) => cookie)
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) {
      expect(cookie).toMatch(
        /^__Host-relt_(session|browser_\d+)=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      )
    }
  })

  test('a cookie that a sibling domain can set is no session', async () => {
    const { ask, signIn } = await open()
    const [, value = ''] = /set-cookie: __Host-([^;]+)/i.exec((await signIn()).head) ?? []
    expect((await ask(`${base}/session`, { cookie: value })).status).toBe(401)
    expect((await ask(`${base}/session`, { cookie: `relt_session=x; __Host-${value}` })).status).toBe(200)
    expect((await ask(`${base}/session`, { cookie: `__Host-relt_session=x; __Host-${value}` })).status).toBe(200)
  })
})

test('a feed has an address beside the interface, from the interface and from its form', async () => {
  const below = `${publicUrl}/tools/relt`
  const { ask, signIn, headers } = await open({ RELT_PUBLIC_URL: below })
  const made = await ask(`${base}/feeds`, headers, '{}')
  expect(JSON.parse(made.text).url).toMatch(`${below}/feeds/`)
  const [, cookie = ''] = /set-cookie: ([^;]+)/i.exec((await signIn()).head) ?? []
  const { nonce } = JSON.parse((await ask(`${base}/session`, { cookie })).text)
  const form = new URLSearchParams({ _wpnonce: nonce }).toString()
  expect((await ask('/account/feeds', { cookie, origin: publicUrl }, form)).text).toContain(`${below}/feeds/`)
})
