import { expect, test } from 'vitest'
import { authenticate } from '../../src/operations/accounts/authenticate.ts'
import { ensureFirstAdmin } from '../../src/operations/accounts/first-admin.ts'
import { listAccounts } from '../../src/store/accounts/account.ts'
import { getLocalUser } from '../../src/store/accounts/user.ts'
import { now, openAccounts } from './accounts.ts'

test('a store that nobody can sign in to gets an admin, once', async () => {
  const accounts = await openAccounts()
  await getLocalUser(accounts.db, now)
  const made = (await ensureFirstAdmin(accounts, now))!
  expect(made).toEqual({
    login: 'admin',
    password: expect.stringMatching(/^[A-Za-z]{4}( [A-Za-z]{4}){5}$/),
    team: 'default',
  })
  expect(await accounts.callAs('admin', 'getCurrentKey')).toMatchObject({ team: { name: 'default', role: 'owner' } })
  expect(await authenticate(accounts, 'admin', made.password, now)).toMatchObject({
    login: 'admin',
    role: 'admin',
    plan: 'pro_plus',
  })
  expect(await ensureFirstAdmin(accounts, now)).toBeUndefined()
  expect((await listAccounts(accounts.db)).map(({ login, keys }) => [login, keys])).toEqual([
    ['admin', 1],
    ['local', 0],
  ])
})

test('of several that start at once, one makes the admin', async () => {
  const accounts = await openAccounts()
  const made = await Promise.all(Array.from({ length: 5 }, () => ensureFirstAdmin(accounts, now)))
  expect(made.filter((each) => each !== undefined)).toHaveLength(1)
})

test('a store with an account is left alone', async () => {
  const accounts = await openAccounts()
  await accounts.add('ada', { plan: 'free' })
  expect(await ensureFirstAdmin(accounts, now)).toBeUndefined()
  expect(await listAccounts(accounts.db)).toHaveLength(1)
})
