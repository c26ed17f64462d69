import { expect, test } from 'vitest'
import type { HttpOptions } from '../../src/server/http/app.ts'
import { usualFailuresPerMinute } from '../../src/server/http/failed-sign-ins.ts'
import { basic } from '../server/http.ts'
import { openSite, password } from '../server/site.ts'

const day = 86_400

/** The pages and the interface, with what others may try at Ada's account. */
async function openGuarded(options: Partial<HttpOptions> = {}) {
  const waits: number[] = []
  const site = await openSite({ wait: async (ms) => void waits.push(ms), ...options })
  const { open, call, clock } = site
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const signIn = async (from: string, secret: string, { login = 'ada', cookie = '' } = {}) => {
    const body = new URLSearchParams({ username: login, password: secret }).toString()
    return open('/sign-in', { from, body, headers: { ...form, ...(cookie && { cookie }) } })
  }
  const status = async (...args: Parameters<typeof signIn>) => (await signIn(...args)).status
  /** Cookies that a browser keeps, without the session. */
  const browserOf = async (from: string, login = 'ada') => {
    const cookies = (await signIn(from, password, { login })).headers.getSetCookie()
    const kept = cookies.filter((cookie) => !/^(__Host-)?relt_session=/.test(cookie))
    return kept.map((cookie) => cookie.split(';')[0]).join('; ')
  }
  /** One wrong try every 1.5 seconds, each from another network. */
  const flood = async (tries: number) => {
    for (let i = 0; i < tries; i++) {
      clock.now += i % 2 === 0 ? 1 : 2
      await signIn(`192.0.${i >> 8}.${i & 255}`, 'wrong')
    }
  }
  const guessFrom = async (from: string, options: { login?: string; cookie?: string } = {}) => {
    for (let i = 0; i <= usualFailuresPerMinute; i++) await signIn(from, 'wrong', options)
  }
  return { ...site, call, waits, signIn, status, browserOf, flood, guessFrom }
}

test('wrong passwords from everywhere slow a right one by seconds, and do not refuse it', async () => {
  const { flood, status, waits } = await openGuarded()
  await flood(199)
  waits.length = 0
  expect(await status('198.51.100.1', password)).toBe(303)
  expect(waits).toEqual([expect.toSatisfy((ms: number) => ms >= 1000 && ms <= 5000)])
})

test('wrong passwords from everywhere do not slow a right key down', async () => {
  const { flood, guessFrom, status, ada, call, waits } = await openGuarded()
  await flood(30)
  await guessFrom('198.51.100.1')
  waits.length = 0
  for (let i = 0; i < 20; i++) expect(await status('198.51.100.1', ada.key)).toBe(303)
  const headers = { authorization: basic('ada', ada.key) }
  expect(await call('/dashboard', { headers, from: '198.51.100.1' })).toMatchObject({ status: 200 })
  expect(waits).toEqual([])
})

test('a browser that has signed in is not slowed, whatever others try from its address', async () => {
  const { flood, guessFrom, browserOf, status, waits, clock } = await openGuarded()
  const cookie = await browserOf('203.0.113.1')
  clock.now += 89 * day
  await flood(30)
  await guessFrom('198.51.100.1')
  expect(await status('198.51.100.1', password)).toBe(429)
  waits.length = 0
  expect(await status('198.51.100.1', password, { cookie })).toBe(303)
  expect(waits).toEqual([])
})

test.each<[string, (cookie: string) => string, number]>([
  ['of another account', (cookie) => cookie, 0],
  ['with another end', (cookie) => cookie.replace(/\.\d+\./, '.99999999999.'), 0],
  ['that nobody signed', (cookie) => cookie.replace(/.{10}$/, 'aaaaaaaaaa'), 0],
  ['older than 90 days', (cookie) => cookie, 91],
])('the cookie of a browser %s does not help', async (what, change, days) => {
  const { guessFrom, browserOf, status, clock } = await openGuarded()
  const cookie = change(await browserOf('203.0.113.1', what === 'of another account' ? 'eve' : 'ada'))
  clock.now += days * day
  await guessFrom('198.51.100.1')
  expect(await status('198.51.100.1', password, { cookie })).toBe(429)
})

test('an address that gave the right password is not slowed for 30 days, also after a restart', async () => {
  const { flood, browserOf, status, waits, clock } = await openGuarded()
  await browserOf('2001:db8:1:2::1')
  clock.now += 29 * day
  await flood(30)
  waits.length = 0
  expect(await status('2001:db8:1:2:3::9', password)).toBe(303)
  expect(waits).toEqual([])
  clock.now += 31 * day
  await flood(30)
  expect(await status('2001:db8:1:2:3::9', password)).toBe(303)
  expect(waits).not.toEqual([])
})

test('a known address is in the store, and not in the memory of one server', async () => {
  const first = await openGuarded()
  await first.browserOf('203.0.113.1')
  const rows = await first.db.selectFrom('known_address').selectAll().execute()
  expect(rows).toHaveLength(1)
  expect(Buffer.from(rows[0]!.address_hash).includes('203.0.113.1')).toBe(false)
})

test('guesses with the cookie of a browser are limited, and slow nobody else', async () => {
  const { browserOf, guessFrom, status, waits } = await openGuarded()
  const cookie = await browserOf('203.0.113.1')
  await guessFrom('198.51.100.1', { cookie })
  expect(await status('198.51.100.2', password, { cookie })).toBe(429)
  waits.length = 0
  expect(await status('198.51.100.2', password)).toBe(303)
  expect(waits).toEqual([])
})

test('guesses at one address are refused, those of an IPv6 network as of one address', async () => {
  const { guessFrom, status } = await openGuarded()
  await guessFrom('2001:db8:1:2::1', { login: 'eve' })
  expect(await status('2001:db8:1:2:ffff::1', 'wrong')).toBe(429)
  expect(await status('2001:db8:1:3::1', 'wrong')).toBe(401)
})

test('requests of others at its address do not keep a known browser from signing in', async () => {
  const { browserOf, open, status } = await openGuarded({ rateLimits: { user: 0, address: 20 } })
  const cookie = await browserOf('198.51.100.1')
  for (let i = 0; i < 20; i++) await open('/sign-in', { from: '198.51.100.1' })
  expect((await open('/sign-in', { from: '198.51.100.1' })).status).toBe(429)
  expect((await open('/sign-in', { from: '198.51.100.1', headers: { cookie } })).status).toBe(200)
  expect(await status('198.51.100.1', password, { cookie })).toBe(303)
})
