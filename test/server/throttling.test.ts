import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../../src/db/open.ts'
import { FailedSignIns } from '../../src/server/http/failed-sign-ins.ts'
import { listAudit } from '../../src/store/accounts/audit.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { setPasswords } from '../helpers/passwords.ts'
import { basic, openHttp } from './http.ts'
import { openServer } from './socket.ts'

const password = 'correct horse battery staple'

// Tries count within a minute, and a busy machine takes longer.
beforeEach(() => void vi.spyOn(Date, 'now').mockReturnValue(Date.now()))
afterEach(() => void vi.restoreAllMocks())

/** A server behind a proxy, where admin and ada have a password; each call says from where it comes. */
async function openGuarded() {
  const data = temporaryFolder()
  const first = await openServer({ data })
  // Two connections of one process that write at once would wait for each other.
  await first.stop()
  const db = await openDatabase(join(data, 'relt.db'))
  await setPasswords({ RELT_HOME: data }, ['admin', 'ada'], password)
  const server = await openServer({ data, trustProxy: true })
  const call = async (path: string, from: string, headers: Record<string, string>, body?: unknown) => {
    const response = await fetch(`${server.url}/api${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    await response.arrayBuffer()
    return response.status
  }
  const signIn = (from: string, username: string, secret: string) =>
    call('/relt/v1/session', from, {}, { username, password: secret })
  const useKey = (from: string, secret = first.told.admin!.password) =>
    call('/relt/v1/dashboard', from, { authorization: basic('admin', secret) })
  const audit = async () => {
    const { items } = await listAudit(db, {}, { page: 1, perPage: 500 })
    return items
  }
  return { ...server, call, signIn, useKey, audit, close: () => db.destroy() }
}

test('ten wrong sign-ins in a batch lock no good key out', async () => {
  const { call, useKey, signIn, close } = await openGuarded()
  const guess = { path: '/relt/v1/session', body: { username: 'admin', password: 'wrong' } }
  const guesses = { requests: Array.from({ length: 10 }, () => guess) }
  for (let i = 0; i < 3; i++) expect(await call('/batch/v1', '192.0.2.1', {}, guesses)).toBe(207)
  expect(await useKey('192.0.2.1')).toBe(200)
  expect(await signIn('192.0.2.1', 'admin', password)).toBe(200)
  await close()
})

test('wrong passwords lock no key out, and wrong keys no password', async () => {
  const { signIn, useKey, close } = await openGuarded()
  for (let i = 0; i < 12; i++) await signIn('192.0.2.1', 'admin', 'wrong')
  expect(await signIn('192.0.2.1', 'admin', 'wrong')).toBe(429)
  expect(await useKey('192.0.2.1')).toBe(200)
  for (let i = 0; i < 12; i++) await useKey('192.0.2.2', 'wrong')
  expect(await useKey('192.0.2.2', 'wrong')).toBe(429)
  expect(await useKey('192.0.2.2')).toBe(200)
  expect(await signIn('192.0.2.2', 'ada', password)).toBe(200)
  await close()
})

test('right passwords never wait, however many', async () => {
  const failures = new FailedSignIns({ clock: () => 0 }, 10)
  for (let i = 0; i < 50; i++) {
    expect(await failures.checkPassword({ address: 'a', login: 'ada' }, async () => 'session')).toBe('session')
  }
})

test('a few passwords are hashed at once, and no address fills the queue', async () => {
  const failures = new FailedSignIns({ clock: () => 0 }, 10)
  let running = 0
  let most = 0
  const check = async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 1))
    running--
    return 'session'
  }
  const from = (address: string, login: string) =>
    failures.checkPassword({ address, login }, check).catch((error) => error.code as string)
  const flood = Array.from({ length: 40 }, (_, i) => from('flood', `login ${i}`))
  const other = from('other', 'ada')
  const answers = await Promise.all(flood)
  expect(answers.filter((answer) => answer === 'session')).toHaveLength(18)
  expect(answers.filter((answer) => answer === 'busy')).toHaveLength(22)
  expect(await other).toBe('session')
  expect(most).toBe(2)
})

test('several guesses at once get no more tries', async () => {
  const failures = new FailedSignIns({ clock: () => 0 }, 10)
  let tries = 0
  const check = async () => {
    tries++
    await new Promise((resolve) => setTimeout(resolve, 1))
    return undefined
  }
  const guesses = Array.from({ length: 18 }, () =>
    failures.checkPassword({ address: 'a', login: 'ada' }, check).catch((error) => error.code as string),
  )
  expect((await Promise.all(guesses)).filter((answer) => answer === 'rate_limited')).toHaveLength(8)
  expect(tries).toBe(10)
})

test('refused credentials are in the audit with their account and address, a few for each', async () => {
  const { signIn, useKey, audit, close } = await openGuarded()
  for (let i = 0; i < 15; i++) {
    await signIn('192.0.2.1', 'ada', 'wrong')
    await useKey('192.0.2.2', 'wrong')
    await signIn('192.0.2.3', 'typed a password here', 'wrong')
  }
  const entries = (await audit()).filter(({ action }) => action.endsWith('.refuse'))
  const twice = <T>(entry: T) => [entry, entry]
  expect(entries.map(({ action, login, subject }) => [action, login, subject]).sort()).toEqual([
    ...twice(['key.refuse', 'admin', '192.0.2.2']),
    ...twice(['password.refuse', null, '192.0.2.3']),
    ...twice(['password.refuse', 'ada', '192.0.2.1']),
  ])
  expect(entries.every(({ request_id }) => request_id)).toBe(true)
  await close()
})

test('a flood of refused credentials adds a bounded number of entries', async () => {
  const { call, db } = await openHttp()
  for (let i = 0; i < 200; i++) {
    await call('/stats', { headers: { authorization: basic(`login${i}`, 'wrong') }, from: `192.0.2.${i}` })
  }
  const { items } = await listAudit(db, {}, { page: 1, perPage: 500 })
  expect(items.filter(({ action }) => action === 'key.refuse')).toHaveLength(60)
})
