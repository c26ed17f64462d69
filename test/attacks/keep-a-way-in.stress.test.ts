import { expect, test } from 'vitest'
import { formatTimestamp } from '../../src/util/time.ts'
import { openSite } from '../server/site.ts'

/** Ada's key leaked: a thief makes with it what outlives the key. Ada ends it with another key. */
async function openLeaked() {
  const site = await openSite()
  const { call, ada, clock } = site
  type Headers = Record<string, string>
  const make = async (headers: Headers, { end, ...more }: { end?: number; name?: string; replaces?: string } = {}) => {
    const body = { name: 'x', ...more, ...(end && { expires_at: formatTimestamp(end) }) }
    const answer = await call('/api-keys', { headers, body })
    const { password, item } = answer.body
    const authorization = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`
    return { ...answer, uuid: item?.uuid as string, item, headers: { authorization } as Headers }
  }
  const works = async (headers: Headers) => (await call('/dashboard', { headers })).status === 200
  const feed = async (headers: Headers) => (await call('/feeds', { method: 'POST', headers })).body
  const reads = async (path: string) => (await call(path, { absolute: true })).status === 200
  const revoke = (uuid: string, made = '', headers = ada.headers) =>
    call(`/api-keys/${uuid}${made && `?made=${made}`}`, { method: 'DELETE', headers })
  const listMade = async (uuid: string) => (await call(`/api-keys/${uuid}/made`, { headers: ada.headers })).body
  const leaked = await make(ada.headers, { end: clock.now + 3600 })
  return { ...site, make, works, feed, reads, revoke, listMade, leaked }
}

test('revoking a key ends that key alone', async () => {
  const { make, works, feed, reads, revoke, leaked } = await openLeaked()
  const [child, address] = [await make(leaked.headers), await feed(leaked.headers)]
  expect((await revoke(leaked.uuid)).body).toEqual({ success: true })
  expect([await works(leaked.headers), await works(child.headers), await reads(address.path)]).toEqual([
    ...[false, true, true],
  ])
})

test('a key succeeds only a key of the same user that is there', async () => {
  const { make, leaked, eve } = await openLeaked()
  for (const replaces of [leaked.uuid, '0f8e3c9a-5a7b-4b1e-9d7c-2f6a1b3c4d5e']) {
    expect((await make(eve.headers, { replaces })).status).toBe(404)
  }
})

test('revoking a key with what was made ends all that came of it, and nothing else', async () => {
  const { make, works, feed, reads, revoke, listMade, leaked, ada, call, db } = await openLeaked()
  const child = await make(leaked.headers)
  const grandchild = await make(child.headers)
  const [byLeaked, byChild, own] = [await feed(leaked.headers), await feed(grandchild.headers), await feed(ada.headers)]
  const target = { generic_webhook: 'https://thief.example/hook' }
  await call('/account/settings', { method: 'PUT', headers: child.headers, body: target })
  const member = { login: 'eve', role: 'viewer' }
  await call('/teams/platform/members', { headers: grandchild.headers, body: member })
  expect(await listMade(leaked.uuid)).toMatchObject({
    keys: [{ uuid: child.uuid }, { uuid: grandchild.uuid }],
    feeds: [{}, {}],
    webhooks: [{ channel: 'generic', subscription_id: null }],
    members: [{ team: 'platform', login: 'eve' }],
  })
  const { body } = await revoke(leaked.uuid, 'end')
  expect(body).toEqual({
    success: true,
    ended: { keys: 2, feeds: 2, webhooks: 1, members: 1, exceptions: 0, subjects: 0, baselines: 0, splits: 0 },
  })
  for (const { headers } of [leaked, child, grandchild]) expect(await works(headers)).toBe(false)
  expect([await reads(byLeaked.path), await reads(byChild.path), await reads(own.path)]).toEqual([false, false, true])
  expect(await works(ada.headers)).toBe(true)
  expect(await db.selectFrom('webhook').select('id').execute()).toEqual([])
  const team = await call('/teams/platform', { headers: ada.headers })
  expect(team.body.items).toEqual([{ login: 'ada', role: 'owner' }])
  const audit = await db.selectFrom('audit').select('action').where('action', 'like', '%end%').execute()
  expect(audit.map(({ action }) => action).sort()).toEqual([
    ...['feed.end', 'feed.end', 'key.end', 'key.end', 'target.end', 'team.end-member'],
  ])
})

test('what came of a key is found through keys that have ended, and after its own end', async () => {
  const { make, works, revoke, listMade, leaked, db } = await openLeaked()
  const child = await make(leaked.headers)
  const grandchild = await make(child.headers)
  await revoke(child.uuid)
  await revoke(leaked.uuid)
  expect((await listMade(leaked.uuid)).keys).toMatchObject([{ uuid: grandchild.uuid }])
  expect((await revoke(leaked.uuid, 'end')).body.ended.keys).toBe(1)
  expect(await works(grandchild.headers)).toBe(false)
  // Nothing is left of it, and nobody else's key is found.
  expect((await revoke(grandchild.uuid, 'end')).status).toBe(404)
  const left = await db.selectFrom('key_origin').select('uuid').execute()
  expect(left.map(({ uuid }) => uuid)).not.toContain(grandchild.uuid)
})

test('a session that a key opened ends with it', async () => {
  const { submit, open, call, leaked, make, revoke } = await openLeaked()
  const child = await make(leaked.headers)
  const answer = await submit('/sign-in', { username: 'ada', password: child.body.password })
  const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!
  expect((await open('/account', { headers: { cookie } })).status).toBe(200)
  await revoke(leaked.uuid, 'end')
  expect((await open('/account', { headers: { cookie } })).status).not.toBe(200)
  expect((await call('/session', { headers: { cookie } })).status).toBe(401)
})

test('the successor of a rotated key is no child of it, and answers for what the old key made', async () => {
  const { make, works, revoke, listMade, leaked, ada } = await openLeaked()
  const child = await make(leaked.headers)
  const successor = await make(leaked.headers, { replaces: leaked.uuid })
  // As `relt keys rotate --end-made`.
  expect((await revoke(leaked.uuid, 'end', leaked.headers)).body.ended.keys).toBe(1)
  expect([await works(successor.headers), await works(child.headers)]).toEqual([true, false])

  const parent = await make(ada.headers)
  const old = await make(parent.headers)
  const made = await make(old.headers)
  const next = await make(old.headers, { replaces: old.uuid })
  await revoke(old.uuid, '', old.headers)
  expect((await listMade(next.uuid)).keys).toMatchObject([{ uuid: made.uuid }])
  expect((await listMade(parent.uuid)).keys.map(({ uuid }: { uuid: string }) => uuid).sort()).toEqual(
    [made.uuid, next.uuid].sort(),
  )
})

test('with a key that ends, nobody makes a key or feed that ends later, but its successor', async () => {
  const { make, feed, reads, leaked, clock } = await openLeaked()
  const end = clock.now + 3600
  expect((await make(leaked.headers, { end: end + 1 })).status).toBe(400)
  // Another key's name as the replaced one helps only for the key itself.
  const other = await make(leaked.headers, { name: 'y' })
  expect((await make(leaked.headers, { replaces: other.uuid, end: end + 1 })).status).toBe(400)
  expect(other.item.expires_at).toBe(leaked.item.expires_at)
  const address = await feed(leaked.headers)
  clock.now += 1800
  const successor = await make(leaked.headers, { replaces: leaked.uuid, end: clock.now + 3600 })
  expect(successor.status).toBe(200)
  clock.now += 1800
  expect(await reads(address.path)).toBe(false)
  expect((await make(other.headers)).status).toBe(401)
  expect((await make(successor.headers)).status).toBe(200)
})

test('the key of another account is not found, with or without what it made', async () => {
  const { eve, call, revoke, leaked, works } = await openLeaked()
  for (const made of ['', 'end']) expect((await revoke(leaked.uuid, made, eve.headers)).status).toBe(404)
  expect((await call(`/api-keys/${leaked.uuid}/made`, { headers: eve.headers })).status).toBe(404)
  expect(await works(leaked.headers)).toBe(true)
})
