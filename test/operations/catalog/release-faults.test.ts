import { expect, test } from 'vitest'
import type { ReleaseFault } from '../../../src/contract/state-facts.ts'
import { markFaults } from '../../../src/operations/catalog/release-faults.ts'
import { findFacts } from '../../../src/operations/facts/state-facts.ts'
import { listProjects } from '../../../src/store/catalog/project.ts'
import {
  countDigestReleases,
  listFeed,
  listFollowedReleases,
  listRecentReleases,
} from '../../../src/store/catalog/recent-release.ts'
import { saveStateFacts } from '../../../src/store/facts/state-fact.ts'
import { listDigestReleases } from '../../../src/store/notifications/notified-release.ts'
import { insertSubscription } from '../../../src/store/notifications/subscription.ts'
import { formatTimestamp } from '../../../src/util/time.ts'
import { project, release, save, toId } from '../../store/bundled.ts'
import { day, now, openService } from '../service.ts'

const at = (days: number) => formatTimestamp(now - days * day)

async function openWithReleases() {
  const { db, user } = await openService()
  const releases = [release('v1.0.0', at(20)), release('v1.1.0', at(9)), release('v1.1.1', at(2))]
  const chart = (version: string, days: number) => release(version, at(days), { type: 'helm', chartName: 'web' })
  await save(db, [project('web', { releases: [...releases, chart('3.0.0', 8), chart('3.1.0', 1)] })], now)
  const id = await toId(db, 'web')
  await insertSubscription(db, { userId: user.id, projectId: id, now })
  await db.updateTable('subscription').set({ email_frequency: 'daily', release_types_filter: 'app,helm' }).execute()
  const mark = async (...facts: Partial<ReleaseFault>[]) => {
    const told = facts.map((fact) => ({ kind: 'malicious', reason: 'Planted.', source: 'https://a.example', ...fact }))
    const from = { source: 'file', kind: 'fault', asOf: null, answeredAt: now, state: {} } as const
    await saveStateFacts(db, { ...from, facts: told })
    await markFaults(db, await findFacts(db))
  }
  const window = { since: now - 7 * day, until: now, limit: 10 }
  const digest = { userId: user.id, frequency: 'daily', from: window.since, to: now } as const
  /** The latest version of the project, and the new ones of every list of releases. */
  const told = async () => {
    const [listed] = (await listProjects(db, { page: 1, perPage: 100 })).items.filter((one) => one.id === id)
    const lists = [
      await listFeed(db, user.id, window),
      await listFollowedReleases(db, user.id, window),
      await listDigestReleases(db, digest),
      (await listRecentReleases(db, { limit: 20, until: now, securityOnly: false })).filter(
        ({ published_at }) => published_at >= at(7),
      ),
    ]
    const versions = lists.map((list) => list.map(({ version }) => version).sort())
    return [
      listed?.latest_version,
      ...versions,
      await countDigestReleases(db, user.id, { ...window, frequency: 'daily' }),
    ]
  }
  return { mark, told }
}

const allOf = (...versions: string[]) => [versions, versions, versions, versions]

test('no list recommends a release that nobody should take, until its facts go', async () => {
  const { mark, told } = await openWithReleases()
  const before = ['v1.1.1', ...allOf('3.1.0', 'v1.1.1'), 2]
  expect(await told()).toEqual(before)
  await mark({ slug: 'web', versions: ['1.1.1'] }, { chart_name: 'web', versions: '>=3.1' })
  expect(await told()).toEqual(['v1.1.0', ...allOf(), 0])
  await mark()
  expect(await told()).toEqual(before)
})

test('a fault of one image is no fault of the release', async () => {
  const { mark, told } = await openWithReleases()
  await mark({ slug: 'web', image_repository: 'docker.io/acme/web', versions: ['1.1.1'] })
  expect((await told())[0]).toBe('v1.1.1')
})
