import { expect, test } from 'vitest'
import type { Db } from '../../../src/db/open.ts'
import { getLocalUser } from '../../../src/store/accounts/user.ts'
import { listPopularProjects } from '../../../src/store/catalog/popular-project.ts'
import {
  countDigestReleases,
  listFeed,
  listFollowedReleases,
  listRecentReleases,
} from '../../../src/store/catalog/recent-release.ts'
import { insertSubscription, listSubscriptions } from '../../../src/store/notifications/subscription.ts'
import { isOnPostgres } from '../../helpers/memory-store.ts'
import { planFor, toStatements } from '../../helpers/statements.ts'
import { project, release, storeWith } from '../bundled.ts'

const now = 1_780_000_000
const period = { since: now - 86_400, until: now, limit: 10 }

const recent = { limit: 20, until: now, securityOnly: false }

// PostgreSQL decides by the sizes of tables, and these are too small for an index.
test.skipIf(isOnPostgres).each<[string, (db: Db, userId: number) => Promise<unknown>]>([
  ['the feed', (db, userId) => listFeed(db, userId, period)],
  ['the activity', (db, userId) => listFollowedReleases(db, userId, period)],
  ['the digest', (db, userId) => countDigestReleases(db, userId, { ...period, frequency: 'daily' })],
  ['the subscriptions', (db, userId) => listSubscriptions(db, userId)],
  ['recent releases', (db) => listRecentReleases(db, recent)],
  ['recent releases of a category', (db) => listRecentReleases(db, { ...recent, category: 'Platform' })],
  ['recent security fixes', (db) => listRecentReleases(db, { ...recent, securityOnly: true })],
  ['popular projects', (db) => listPopularProjects(db, { limit: 10, now, running: [] })],
])('%s: no statement reads all releases', async (_, work) => {
  const db = await storeWith([project('nginx', { releases: [release('1.0.0', '2026-05-01')] })])
  const { id } = await getLocalUser(db, now)
  const statements = await toStatements(db, (recorded) => work(recorded, id))
  const plan = (await Promise.all(statements.map((statement) => planFor(db, statement)))).flat()
  expect(plan.filter((step) => /\b(release|own) USING (COVERING )?INDEX/.test(step))).not.toEqual([])
  expect(plan.filter((step) => /^SCAN (release|own|label|subscription_label|delivery)\b/.test(step))).toEqual([])
})

test('many subscriptions take no more statements than none', async () => {
  const slugs = Array.from({ length: 40 }, (_, number) => `project-${number}`)
  const db = await storeWith(slugs.map((slug) => project(slug, { releases: [release('1.0.0', '2026-05-01')] })))
  const { id: userId } = await getLocalUser(db, now)
  const statements = async () =>
    (await toStatements(db, (recorded) => listSubscriptions(recorded, userId))).map(({ sql }) => sql)
  const before = await statements()
  for (const { id } of await db.selectFrom('project').select('id').execute()) {
    await insertSubscription(db, { userId, projectId: id, now })
  }
  expect(await listSubscriptions(db, userId)).toHaveLength(40)
  expect(await statements()).toEqual(before)
})
