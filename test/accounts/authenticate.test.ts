import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { authenticate, createSession, deleteSession, findSession } from '../../src/operations/accounts/authenticate.ts'
import { setPassword, setRole } from '../../src/operations/accounts/grant.ts'
import { hashPassword } from '../../src/operations/accounts/password.ts'
import { listKeys } from '../../src/store/accounts/api-key.ts'
import { removeSessionsFor } from '../../src/store/accounts/session.ts'
import { removeUser, updateUser } from '../../src/store/accounts/user.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { refusalFor } from '../operations/service.ts'
import { type Accounts, bytesOfStore, hour, now, openAccounts } from './accounts.ts'

async function withKey(login = 'ada', file?: string) {
  const accounts = await openAccounts(file)
  const user = await accounts.add(login)
  const { password, item } = await accounts.callAs(login, 'createKey', { body: { name: 'x' } })
  const basic = (username: string, secret: string, at = now) => authenticate(accounts, username, secret, at)
  return { accounts, user, password, item, basic }
}

/** What each hash of a password is made of, and at which cost. */
function watchHashes(): object[] {
  const hashed: object[] = []
  const { scrypt } = crypto
  const watched = (password: string, salt: Buffer, keyBytes: number, cost: object, done: never) => {
    hashed.push({ password, saltBytes: salt.length, keyBytes, cost })
    return scrypt(password, salt, keyBytes, cost, done)
  }
  const replaceWith = (found: unknown) => {
    Object.assign(crypto, { scrypt: found })
    syncBuiltinESMExports()
  }
  replaceWith(watched)
  onTestFinished(() => replaceWith(scrypt))
  return hashed
}

describe('HTTP Basic', () => {
  test('takes the application password as issued, and without its spaces', async () => {
    const { user, password, item, basic } = await withKey()
    const signedIn = { ...user, key: { uuid: item.uuid, scope: 'all', expiresAt: null } }
    expect(await basic('ada', password)).toEqual(signedIn)
    expect(await basic('ada', password.replaceAll(' ', ''))).toEqual(signedIn)
  })

  test('takes nothing else', async () => {
    const { accounts, password, basic } = await withKey()
    await accounts.add('grace')
    await setPassword(accounts.db, await accounts.vault(), 'ada', await hashPassword('correct horse battery'))
    const swapped = password.replace(/[a-zA-Z]/g, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))
    const wrong: [string, string][] = [
      ['grace', password],
      ['nobody', password],
      ['', password],
      ['Ada', password],
      ['ada ', password],
      ['ada@shop.example', password],
      ['ada', ''],
      ['ada', 'correct horse battery'],
      ['ada', swapped],
      ['ada', password.slice(1)],
      ['ada', ` ${password}`],
      ['ada', `${password}\n`],
      ['ada', password.replaceAll(' ', '-')],
      ['ada', `${password} `],
      ['ada', 'x'.repeat(24)],
      ['ada', 'x'.repeat(1_000_000)],
    ]
    for (const [username, secret] of wrong) expect(await basic(username, secret)).toBeUndefined()
  })

  test('refuses email addresses, even one that is a login', async () => {
    const { accounts, password, basic } = await withKey()
    await accounts.db.updateTable('user').set({ login: 'ada@shop.example', email: 'ada@shop.example' }).execute()
    expect(await basic('ada@shop.example', password)).toBeUndefined()
  })

  test('knows the keys of other stores as little as its own store without its key', async () => {
    const one = await withKey()
    const other = await withKey()
    expect(await one.basic('ada', other.password)).toBeUndefined()
    const locked = { db: one.accounts.db, vault: other.accounts.vault }
    expect(await authenticate(locked, 'ada', one.password, now)).toBeUndefined()
  })

  test('sees a changed plan and role, and a removed user, at once', async () => {
    const { accounts, password, basic } = await withKey()
    await setRole(accounts.db, await accounts.vault(), 'ada', 'admin')
    expect(await basic('ada', password)).toMatchObject({ role: 'admin', plan: 'pro' })
    await updateUser(accounts.db, 'ada', { plan: 'free' })
    expect(await basic('ada', password)).toMatchObject({ plan: 'free' })
    await updateUser(accounts.db, 'ada', { plan: 'pro' })
    expect(await basic('ada', password)).toMatchObject({ plan: 'pro' })
    await removeUser(accounts.db, 'ada')
    expect(await basic('ada', password)).toBeUndefined()
    await accounts.add('ada')
    expect(await basic('ada', password)).toBeUndefined()
  })

  test('takes a key until it expires, and says so to its owner alone', async () => {
    const { accounts, basic } = await withKey()
    const body = { name: 'y', expires_at: '2026-09-01 13:00:00', scope: 'read' }
    const { password, item } = await accounts.callAs('ada', 'createKey', { body })
    expect(await basic('ada', password, now + hour - 1)).toMatchObject({ key: { uuid: item.uuid, scope: 'read' } })
    expect(await refusalFor(basic('ada', password, now + hour))).toBe(
      'unauthenticated: Authentication is required: this API key expired at 2026-09-01 13:00:00 UTC.',
    )
    expect(await basic('grace', password, now + hour)).toBeUndefined()
  })

  test('notes the last use at most once an hour', async () => {
    const { accounts, user, password, basic } = await withKey()
    const lastUsed = async () => (await listKeys(accounts.db, user.id))[0]!.last_used
    expect(await lastUsed()).toBeNull()
    await basic('grace', password)
    expect(await lastUsed()).toBeNull()
    await basic('ada', password)
    expect(await lastUsed()).toBe('2026-09-01 12:00:00')
    await basic('ada', password, now + hour - 1)
    expect(await lastUsed()).toBe('2026-09-01 12:00:00')
    await basic('ada', password, now + hour)
    expect(await lastUsed()).toBe('2026-09-01 13:00:00')
    await basic('ada', password, now - hour)
    expect(await lastUsed()).toBe('2026-09-01 13:00:00')
  })
})

const secret = 'correct horse battery'

async function withPassword(file?: string) {
  const accounts = await openAccounts(file)
  const user = await accounts.add('ada')
  await setPassword(accounts.db, await accounts.vault(), 'ada', await hashPassword(secret))
  const open = (username = 'ada', password = secret, at = now) =>
    createSession(accounts, { username, password, address: '192.0.2.1' }, at)
  return { accounts, user, open }
}

const countSessions = async ({ db }: Accounts) => (await db.selectFrom('session').select('nonce').execute()).length

describe('browser sessions', () => {
  test('open with login and password, and last twelve hours', async () => {
    const { accounts, user, open } = await withPassword()
    const session = (await open())!
    expect(session).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
      browserToken: expect.any(String),
      expiresAt: now + 12 * hour,
    })
    const { token, nonce, expiresAt } = session
    expect(await findSession(accounts, token, now)).toEqual({ user, nonce, expiresAt })
    expect(await findSession(accounts, token, expiresAt - 1)).toBeDefined()
    expect(await findSession(accounts, token, expiresAt)).toBeUndefined()
  })

  test('are each their own, and end alone', async () => {
    const { accounts, open } = await withPassword()
    const [one, two] = [(await open())!, (await open())!]
    expect(one.token).not.toBe(two.token)
    expect(one.nonce).not.toBe(two.nonce)
    await deleteSession(accounts, one.token)
    expect(await findSession(accounts, one.token, now)).toBeUndefined()
    expect(await findSession(accounts, two.token, now)).toMatchObject({ nonce: two.nonce })
    await deleteSession(accounts, one.token)
    await deleteSession(accounts, 'unknown')
    expect(await findSession(accounts, '', now)).toBeUndefined()
  })

  test('do not open with anything else', async () => {
    const { accounts, open } = await withPassword()
    await accounts.add('grace')
    const { password } = await accounts.callAs('ada', 'createKey', { body: { name: 'x' } })
    for (const [username, wrong] of [
      ['ada', password],
      ['ada', ''],
      ['ada', `${secret} `],
      ['ada', 'x'.repeat(1001)],
      ['grace', secret],
      ['grace', ''],
      ['nobody', secret],
      ['ada@shop.example', secret],
    ] as const) {
      expect(await open(username, wrong)).toBeUndefined()
    }
    expect(await countSessions(accounts)).toBe(0)
  })

  test('that have ended go at the next sign-in', async () => {
    const { accounts, open } = await withPassword()
    await open()
    await open('ada', secret, now + 12 * hour - 1)
    expect(await countSessions(accounts)).toBe(2)
    await open('ada', secret, now + 12 * hour)
    expect(await countSessions(accounts)).toBe(2)
  })

  test('see a changed plan and role, and a removed user, at once', async () => {
    const { accounts, open } = await withPassword()
    const { token } = (await open())!
    await updateUser(accounts.db, 'ada', { plan: 'free' })
    await setRole(accounts.db, await accounts.vault(), 'ada', 'admin')
    expect((await findSession(accounts, token, now))?.user).toMatchObject({ plan: 'free', role: 'admin' })
    await removeUser(accounts.db, 'ada')
    expect(await findSession(accounts, token, now)).toBeUndefined()
    expect(await countSessions(accounts)).toBe(0)
  })

  test('do not open when the password is changed while it is checked', async () => {
    const { accounts, user, open } = await withPassword()
    const other = await hashPassword('another good password')
    const opening = open()
    await setPassword(accounts.db, await accounts.vault(), 'ada', other)
    await removeSessionsFor(accounts.db, user.id)
    expect(await opening).toBeUndefined()
  })

  test('take a password however its letters were composed', async () => {
    const { accounts, open } = await withPassword()
    const hash = await hashPassword('Gr\u00fcne Katze im Baum')
    await setPassword(accounts.db, await accounts.vault(), 'ada', hash)
    expect(await open('ada', 'Gru\u0308ne Katze im Baum')).toBeDefined()
  })

  test('take the same work for an unknown login as for a wrong password', async () => {
    const { open } = await withPassword()
    const hashed = watchHashes()
    await open('ada', 'a wrong password')
    const [known] = hashed.splice(0)
    for (const username of ['nobody', '', 'Ada']) await open(username, 'a wrong password')
    expect(known).toMatchObject({ password: 'a wrong password', saltBytes: 16, keyBytes: 32 })
    expect(hashed).toEqual([known, known, known])
  })
})

test('neither token nor password is in the store, and every hash has its own salt', async () => {
  const file = join(temporaryFolder(), 'relt.db')
  const { open } = await withPassword(file)
  const { token } = (await open())!
  const bytes = bytesOfStore(file)
  expect(bytes.includes('scrypt$4096$8$1$')).toBe(true)
  for (const hidden of [secret, token, Buffer.from(token, 'base64url')]) expect(bytes.includes(hidden)).toBe(false)
  expect(await hashPassword(secret)).not.toBe(await hashPassword(secret))
})

test('a guess at a password takes 32 MiB of memory', async () => {
  // The configuration replaces the module without a query.
  const real = '../../src/operations/accounts/password-cost.ts?real'
  const { passwordCost } = (await import(/* @vite-ignore */ real)) as { passwordCost: object }
  expect(passwordCost).toEqual({ N: 32_768, r: 8, p: 1 })
})
