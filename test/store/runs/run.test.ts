import { describe, expect, test } from 'vitest'
import { recordLength } from '../../../src/reports/finding-records.ts'
import { fingerprintLength } from '../../../src/reports/fingerprint.ts'
import { getLocalUser } from '../../../src/store/accounts/user.ts'
import { findCluster, listClusters } from '../../../src/store/runs/cluster.ts'
import { findKnownFingerprints } from '../../../src/store/runs/finding-history.ts'
import { findLatestRun } from '../../../src/store/runs/latest-run.ts'
import { findRunBefore, listRuns, listTrendPoints } from '../../../src/store/runs/list-runs.ts'
import { getFindingRecords } from '../../../src/store/runs/records.ts'
import { getRun } from '../../../src/store/runs/run.ts'
import { day, now, openService, type TestService } from '../../operations/service.ts'

/** Uploads that are told apart by their scores. */
async function uploadScore(service: TestService, score: number, daysAgo: number, body: object = {}): Promise<string> {
  const generatedAt = new Date((now - daysAgo * day) * 1000).toISOString()
  return (await service.upload([{ resource: `x/${score}` }], { score, generatedAt, body })).run_id
}

describe('runs of a cluster', () => {
  test('are listed newest first, in pages that neither miss nor repeat', async () => {
    const service = await openService()
    for (const daysAgo of [3, 1, 5, 2, 4]) await uploadScore(service, daysAgo, daysAgo)
    const cluster = (await findCluster(service.db, { ownerId: service.user.id }))!
    const page = (page: number, perPage: number) => listRuns(service.db, [cluster.id], { page, perPage })
    const scores = async (...of: [number, number]) => (await page(...of)).items.map((run) => run.score)
    expect([await scores(1, 2), await scores(2, 2), await scores(3, 2), await scores(4, 2)]).toEqual([
      [1, 2],
      [3, 4],
      [5],
      [],
    ])
    expect(await page(2, 2)).toMatchObject({ page: 2, per_page: 2, total: 5, total_pages: 3 })
    expect(await page(1, 100)).toMatchObject({ total: 5, total_pages: 1 })
  })

  test('stand in the order of their scans', async () => {
    const service = await openService()
    const [old, last, middle] = [
      await uploadScore(service, 1, 3),
      await uploadScore(service, 3, 1),
      await uploadScore(service, 2, 2),
    ]
    const { db, user } = service
    const run = (id: string) => getRun(db, user.id, id)
    const { clusterId } = await run(old)
    expect((await findLatestRun(db, clusterId))?.run.run_id).toBe(last)
    expect((await findRunBefore(db, await run(last)))?.run.run_id).toBe(middle)
    expect((await findRunBefore(db, await run(middle)))?.run.run_id).toBe(old)
    expect(await findRunBefore(db, await run(old))).toBeUndefined()
    expect(await findLatestRun(db, 999)).toBeUndefined()
  })

  test('are points of a trend from a time on', async () => {
    const service = await openService()
    for (const daysAgo of [3, 2, 1]) await uploadScore(service, daysAgo, daysAgo)
    const { id } = (await findCluster(service.db, { ownerId: service.user.id }))!
    const pointsSince = async (since: number) => (await listTrendPoints(service.db, id, since))[0]?.points ?? []
    const scores = async (since: number) => (await pointsSince(since)).map((point) => point.score)
    expect(await scores(0)).toEqual([3, 2, 1])
    expect(await scores(now - 2 * day)).toEqual([2, 1])
    expect(await scores(now - 2 * day + 1)).toEqual([1])
    expect(await scores(now)).toEqual([])
    expect((await pointsSince(now - day))[0]).toEqual({
      run_id: expect.stringMatching(/^crun_/),
      at: '2026-08-31 12:00:00',
      score: 1,
      failed_checks: 1,
      not_run_checks: 0,
      scope_gaps: 0,
      gaps_key: '',
      findings: 1,
    })
  })
})

describe('clusters', () => {
  test('are found by name and environment, else by the latest upload and the latest run of its cluster', async () => {
    const service = await openService()
    const find = async (wanted: object = {}) => {
      const found = await findCluster(service.db, { ownerId: service.user.id, ...wanted })
      return found && `${found.name} ${found.environment}`
    }
    expect(await find()).toBeUndefined()
    await uploadScore(service, 1, 1, { cluster: { name: 'blue' } })
    await uploadScore(service, 2, 9, { cluster: { name: 'blue' }, environment: 'staging' })
    await uploadScore(service, 3, 5, { cluster: { name: 'green' } })
    expect(await find()).toBe('green prod')
    expect(await find({ name: 'blue' })).toBe('blue prod')
    expect(await find({ environment: 'staging' })).toBe('blue staging')
    expect(await find({ name: 'blue', environment: 'prod' })).toBe('blue prod')
    expect(await find({ name: 'BLUE' })).toBeUndefined()
    expect(await find({ ownerId: 999 })).toBeUndefined()

    const list = async (wanted: object) =>
      (await listClusters(service.db, { ownerId: service.user.id, ...wanted })).map((c) => `${c.name} ${c.environment}`)
    expect(await list({})).toEqual(['blue prod', 'blue staging', 'green prod'])
    expect(await list({ environment: 'prod' })).toEqual(['blue prod', 'green prod'])
    expect(await list({ name: 'blue' })).toEqual(['blue prod', 'blue staging'])
    expect(await list({ ownerId: 999 })).toEqual([])
  })
})

test('findKnownFingerprints tells the positions of what an older run had, among many', async () => {
  const service = await openService()
  const { db, user } = service
  const rows = Array.from({ length: 30_000 }, (_, i) => ({ resource: `deployment/app-${i}` }))
  const upload = async (some: typeof rows, daysAgo: number) => {
    const generatedAt = new Date((now - daysAgo * day) * 1000).toISOString()
    return getRun(db, user.id, (await service.upload(some, { generatedAt })).run_id)
  }
  const older = await upload(rows.slice(0, 20_000), 2)
  const newer = await upload(rows, 1)
  const records = await getFindingRecords(db, newer.id)
  const fingerprints = Buffer.concat(
    Array.from({ length: 30_000 }, (_, i) => records.subarray(i * recordLength, i * recordLength + fingerprintLength)),
  )
  const seen = await findKnownFingerprints(db, newer, fingerprints)
  expect(seen.size).toBe(20_000)
  expect(Math.max(...seen)).toBeLessThan(30_000)
  const [first] = seen
  expect(await findKnownFingerprints(db, newer, fingerprints.subarray(first! * 16, first! * 16 + 16))).toEqual(
    new Set([0]),
  )
  expect(await findKnownFingerprints(db, older, fingerprints)).toEqual(new Set())
  expect(await findKnownFingerprints(db, newer, Buffer.alloc(0))).toEqual(new Set())
})

test('the local user is made once and may do everything', async () => {
  const { db, user } = await openService()
  expect(await getLocalUser(db, now)).toEqual(user)
  expect(user).toEqual({ id: expect.any(Number), login: 'local', role: 'admin', plan: 'pro_plus' })
})
