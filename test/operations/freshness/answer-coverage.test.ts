import { expect, test } from 'vitest'
import { setMeta } from '../../../src/db/meta.ts'
import { countStaleProjects } from '../../../src/operations/catalog/stale-projects.ts'
import { basisOfSubscriptions } from '../../../src/operations/freshness/answer-coverage.ts'
import { listSubscribedIds } from '../../../src/store/notifications/subscription.ts'
import { project, release, save, toId } from '../../store/bundled.ts'
import { day, now, openService } from '../service.ts'

/** The catalog is of 40 days ago. */
async function openOld() {
  const service = await openService()
  const { db, user, clock, call } = service
  await save(db, [project('a', { releases: [release('1.0.0', '2026-01-01')] }), project('b')], now)
  await setMeta(db, 'catalog_date', '2099-01-01')
  clock.now = Date.UTC(2099, 1, 10) / 1000
  const ids = { a: await toId(db, 'a'), b: await toId(db, 'b') }
  const subscribe = (product_id: number) => call('toggleSubscription', { body: { product_id } })
  const answered = (project_id: number, kind: 'github' | 'helm' | 'advisories', daysAgo: number | null) => {
    const answered_at = daysAgo === null ? null : clock.now - daysAgo * day
    const state = { etag: null, last_modified: null, cursor: null, reason: null, retry_at: null, changed_at: null }
    const source = { ...state, project_id, kind, url: 'u', outcome: 'unchanged' as const, looked_at: clock.now }
    return db
      .insertInto('source')
      .values({ ...source, answered_at })
      .execute()
  }
  const basis = async () => basisOfSubscriptions(db, await listSubscribedIds(db, user.id), clock.now)
  return { ...service, ids, subscribe, answered, basis, stale: () => countStaleProjects(db, clock.now) }
}

test('the facts are as old as those of the project that was asked about last', async () => {
  const { ids, subscribe, answered, basis, stale } = await openOld()
  expect(await basis()).toEqual({
    catalog_date: '2099-01-01',
    looked_at: { subscriptions: 0, projects: 0, security_known: 0 },
  })
  // The other one has no releases, so nothing of it is old.
  expect(await stale()).toBe(1)
  await subscribe(ids.a)
  await answered(ids.a, 'github', 1)
  expect((await basis()).catalog_date).toBe('2099-02-09')
  await answered(ids.a, 'helm', 5)
  expect((await basis()).catalog_date).toBe('2099-02-05')
  expect(await stale()).toBe(0)
  await subscribe(ids.b)
  await answered(ids.b, 'github', 91)
  expect((await basis()).catalog_date).toBe('2098-11-11')
  expect(await stale()).toBe(1)
})

test('a project has security facts when its advisories were read or a fix of it is known', async () => {
  const { call, ids, subscribe, answered, basis } = await openOld()
  await subscribe(ids.a)
  await subscribe(ids.b)
  const known = async () => (await basis()).looked_at.security_known
  expect(await known()).toBe(0)
  await answered(ids.b, 'advisories', null)
  expect(await known()).toBe(0)
  const fix = { type: 'app', version: '1.0.1', has_security_fix: true }
  await call('addRelease', { body: { product_id: ids.a, ...fix } })
  expect(await known()).toBe(1)
  await answered(ids.a, 'advisories', 3)
  expect(await known()).toBe(1)
})
