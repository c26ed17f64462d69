import { expect, onTestFinished, test } from 'vitest'
import { write } from '../../../src/db/transaction.ts'
import { reencrypt } from '../../../src/operations/keys/reencrypt.ts'
import { openVault } from '../../../src/operations/keys/vault.ts'
import { getSigningSecrets, rotateSigningSecret } from '../../../src/operations/notifications/signing-secret.ts'
import { addUser, getLocalUser } from '../../../src/store/accounts/user.ts'
import { openMemoryStore } from '../../helpers/memory-store.ts'
import { keySource } from '../../helpers/vault.ts'
import { openService, now as testNow } from '../service.ts'

const day = 86_400

async function openOwner() {
  const { db, vault, clock } = await openService(':memory:')
  const user = await addUser(db, { login: 'ada', email: null, role: 'user', plan: 'pro' }, clock.now)
  const owner = { userId: user.id, subscriptionId: null }
  const rotate = (now: number) => write(db, 'nothing', (trx) => rotateSigningSecret(trx, vault, owner, now))
  const valid = (now: number) => getSigningSecrets(db, vault, owner, now)
  return { db, vault, owner, now: clock.now, rotate, valid }
}

test('the first use makes a secret, and later uses find it', async () => {
  const { valid, now, db } = await openOwner()
  const first = await valid(now)
  expect(first).toEqual([expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)])
  expect(await valid(now + 1000 * day)).toEqual(first)
  const rows = await db.selectFrom('signing_secret').selectAll().execute()
  expect(Buffer.from(rows[0]!.sealed).includes(first[0]!.slice(6))).toBe(false)
})

test('a rotated secret signs for a day beside the new one, and at most two sign at a time', async () => {
  const { valid, rotate, now } = await openOwner()
  const [first] = await valid(now)
  const second = await rotate(now)
  expect(second).toEqual({ secret: expect.any(String), previousValidUntil: now + day })
  expect(await valid(now + day - 1)).toEqual([second.secret, first])
  expect(await valid(now + day)).toEqual([second.secret])
  const third = await rotate(now + 10)
  expect(await valid(now + 10)).toEqual([third.secret, second.secret])
})

test('the first rotation has no secret before it', async () => {
  const { rotate, now } = await openOwner()
  expect(await rotate(now)).toMatchObject({ previousValidUntil: null })
})

test('secrets of accounts differ, and senders that start at once agree on one', async () => {
  const { db, vault, owner, now, valid } = await openOwner()
  const bob = await addUser(db, { login: 'bob', email: null, role: 'user', plan: 'pro' }, now)
  const made = await Promise.all([valid(now), valid(now), valid(now)])
  expect(new Set(made.flat()).size).toBe(1)
  expect(await getSigningSecrets(db, vault, { ...owner, userId: bob.id }, now)).not.toEqual(made[0])
})

test('secrets are sealed again with a new data key', async () => {
  const db = await openMemoryStore()
  onTestFinished(() => db.destroy())
  const source = keySource()
  const vault = await openVault(db, source, { now: testNow })
  const { id: userId } = await getLocalUser(db, testNow)
  const owner = { userId, subscriptionId: null }
  const secrets = await getSigningSecrets(db, vault, owner, testNow)
  const result = await reencrypt(db, { vault: async () => vault, source, now: testNow })
  expect(result).toMatchObject({ new_key: true, pieces: 1, damaged: [] })
  expect(await getSigningSecrets(db, vault, owner, testNow)).toEqual(secrets)
  expect(await getSigningSecrets(db, await openVault(db, source, { now: testNow }), owner, testNow)).toEqual(secrets)
})
