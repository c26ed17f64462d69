import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { openPostgres } from '../../../src/db/postgres/open.ts'
import { SharedFailures } from '../../../src/server/http/failure-count.ts'
import { LeasedLimiter } from '../../../src/server/http/leased-limiter.ts'
import { removeIdleBuckets, takeTokens } from '../../../src/store/accounts/token-bucket.ts'
import { temporaryFolder } from '../../helpers/cli.ts'
import { setPasswords } from '../../helpers/passwords.ts'
import { lendDatabase, templates } from '../../helpers/postgres.ts'
import { basic } from '../../server/http.ts'
import { openServer } from '../../server/socket.ts'

const server = inject('postgres')!
const password = 'correct horse battery staple'

// Tries count within a minute, and a busy machine takes longer.
beforeEach(() => void vi.spyOn(Date, 'now').mockReturnValue(Date.now()))
afterEach(() => void vi.restoreAllMocks())

/** Two servers on one database, where admin and ada have a password; calls go to one after the other. */
async function openPair(env: Record<string, string> = {}) {
  const address = await lendDatabase(server, onTestFinished, templates.catalog)
  const { host, port, user, database } = address
  const shared = {
    RELT_DATABASE_URL: `postgres://${user}@${host}:${port}/${database}`,
    PGPASSWORD: server.password,
    RELT_MASTER_KEY: randomBytes(32).toString('hex'),
    ...env,
  }
  const servers = [await openServer({ trustProxy: true }, shared), await openServer({ trustProxy: true }, shared)]
  await setPasswords({ ...shared, RELT_HOME: temporaryFolder() }, ['admin', 'ada'], password)
  const goodKey = servers[0]!.told.admin!.password
  let calls = 0
  const call = async (path: string, from: string, headers: Record<string, string>, body?: unknown) => {
    const response = await fetch(`${servers[calls++ % 2]!.url}/api/relt/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    await response.arrayBuffer()
    return response
  }
  return {
    signIn: async (from: string, username: string, secret: string) =>
      (await call('/session', from, {}, { username, password: secret })).status,
    useKey: async (from: string, secret = goodKey, login = 'admin') =>
      (await call('/api-keys/current', from, { authorization: basic(login, secret) })).status,
    call,
  }
}

const times = async (count: number, work: () => Promise<number>) => {
  const answers: number[] = []
  for (let i = 0; i < count; i++) answers.push(await work())
  return answers
}
const wrongKey = 'aaaa bbbb cccc dddd eeee ffff'

describe.skipIf(!server)('limits over two servers', () => {
  test('ten wrong keys lock as over one server, and a good key still works', async () => {
    const { useKey } = await openPair()
    expect(await times(10, () => useKey('192.0.2.1', wrongKey))).toEqual(Array(10).fill(401))
    expect(await times(4, () => useKey('192.0.2.1', wrongKey))).toEqual([429, 429, 429, 429])
    expect(await times(4, () => useKey('192.0.2.1'))).toEqual([200, 200, 200, 200])
    expect(await useKey('192.0.2.2', wrongKey, 'ada')).toBe(401)
  })

  test('ten wrong passwords lock as over one server, and a good key still works', async () => {
    const { signIn, useKey } = await openPair()
    expect(await times(10, () => signIn('192.0.2.1', 'ada', 'wrong'))).toEqual(Array(10).fill(401))
    expect(await times(4, () => signIn('192.0.2.1', 'ada', password))).toEqual([429, 429, 429, 429])
    expect(await times(2, () => useKey('192.0.2.1'))).toEqual([200, 200])
    expect(await signIn('192.0.2.2', 'admin', password)).toBe(200)
  })

  test('an account at which many guess is slowed on each server, and a known browser is not', async () => {
    const db = await openPostgres(await lendDatabase(server, onTestFinished))
    onTestFinished(() => db.destroy())
    const [one, two] = [new SharedFailures(db, 10), new SharedFailures(db, 10)]
    const guess = (count: SharedFailures, address: string, known?: string) =>
      count.countPassword({ address, login: 'ada', known }, 0)
    for (let i = 0; i < 10; i++) expect(await guess(one, `192.0.2.${i}`)).toMatchObject({ slowSeconds: 0 })
    for (const count of [one, two]) {
      expect(await guess(count, '198.51.100.1')).toMatchObject({ waitSeconds: 0, slowSeconds: 6 })
      expect(await guess(count, '198.51.100.1', 'browser x')).toMatchObject({ waitSeconds: 0, slowSeconds: 0 })
    }
  })

  test('right passwords do not count, and a sign-in on one server is known to the other', async () => {
    const { signIn } = await openPair()
    expect(await times(12, () => signIn('192.0.2.1', 'ada', password))).toEqual(Array(12).fill(200))
    expect(await times(11, () => signIn('192.0.2.1', 'admin', 'wrong'))).toEqual([...Array(10).fill(401), 429])
    expect(await times(2, () => signIn('192.0.2.1', 'ada', password))).toEqual([200, 200])
  })

  test('a user has as many requests over two servers as over one', async () => {
    const { call, useKey } = await openPair({ RELT_RATE_LIMIT_USER: '60' })
    const answers = await times(80, () => useKey('192.0.2.1'))
    expect(answers.filter((status) => status === 200)).toHaveLength(60)
    expect(answers.slice(70)).toEqual(Array(10).fill(429))
    const anonymous = await call('/projects?per_page=1', '192.0.2.1', {})
    expect(anonymous.status).toBe(200)
  })

  test('most requests need no statement, and refused ones none', async () => {
    const db = await openPostgres(await lendDatabase(server, onTestFinished))
    onTestFinished(() => db.destroy())
    let statements = 0
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        statements++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const limiter = new LeasedLimiter(counted, 'requests of user', 600)
    let passed = 0
    for (let i = 0; i < 2000; i++) if (await limiter.take('1', 0)) passed++
    expect(passed).toBe(600)
    expect(statements).toBeLessThanOrEqual(22)
    expect(limiter.secondsUntilNext('1', 0)).toBe(1)
    expect(await limiter.take('1', 1000)).toBe(true)
  })

  test('a bucket fills up again over a minute, and an idle one is removed', async () => {
    const db = await openPostgres(await lendDatabase(server, onTestFinished))
    onTestFinished(() => db.destroy())
    const take = async (nowMs: number, count: number) => {
      const [found] = await takeTokens({ db, perMinute: 60, nowMs }, ['key a'], count)
      return found!.taken
    }
    expect([await take(0, 50), await take(0, 50), await take(10_000, 50), await take(10_000_000, 100)]).toEqual([
      50, 10, 10, 60,
    ])
    // A clock of another server that is behind takes nothing back.
    expect(await take(9_000_000, 5)).toBe(0)
    await takeTokens({ db, perMinute: 60, nowMs: 10_199_000 }, ['key b'])
    await removeIdleBuckets(db, 10_200_000)
    const { rows } = await sql<{ name: string }>`select name from token_bucket`.execute(db)
    expect(rows).toEqual([{ name: 'key b' }])
  })
})
