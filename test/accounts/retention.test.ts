import { describe, expect, test } from 'vitest'
import { readRetentionDays } from '../../src/config/retention.ts'
import { applyRetention } from '../../src/services/retention.ts'
import { removeOldRuns } from '../../src/store/retention.ts'
import { day, now, openService, type TestService } from '../services/service.ts'

/** A report that comes in so many days ago. */
async function uploadAgo(service: TestService, daysAgo: number, resources: string[], body: object = {}) {
  service.clock.now = now - daysAgo * day
  const generatedAt = new Date(service.clock.now * 1000).toISOString()
  const { run_id } = await service.upload(
    resources.map((resource) => ({ resource })),
    { generatedAt, score: daysAgo % 100, body },
  )
  service.clock.now = now
  return run_id
}

const runsOf = async ({ db }: TestService) =>
  (await db.selectFrom('run').select('run_id').orderBy('id').execute()).map((run) => run.run_id)

const countsOf = async ({ db }: TestService) => {
  const count = async (table: 'cluster' | 'run' | 'run_finding' | 'finding_history') =>
    (await db.selectFrom(table).selectAll().execute()).length
  return {
    clusters: await count('cluster'),
    runs: await count('run'),
    findings: await count('run_finding'),
    history: await count('finding_history'),
  }
}

describe('retention', () => {
  test('removes what came in more than so many days ago, and nothing younger', async () => {
    const service = await openService()
    const [, , third, fourth] = [
      await uploadAgo(service, 200, ['x/a']),
      await uploadAgo(service, 91, ['x/a']),
      await uploadAgo(service, 90, ['x/a']),
      await uploadAgo(service, 1, ['x/a']),
    ]
    expect(await applyRetention(service.db, { days: 90, now })).toBe(2)
    expect(await runsOf(service)).toEqual([third, fourth])
    expect(await applyRetention(service.db, { days: 90, now })).toBe(0)
    expect(await countsOf(service)).toMatchObject({ runs: 2, findings: 2, clusters: 1 })
  })

  test('goes by when a run came in, not by when its scan ran', async () => {
    const service = await openService()
    const generatedAt = new Date((now - 300 * day) * 1000).toISOString()
    await service.upload([{ resource: 'x/a' }], { generatedAt })
    expect(await applyRetention(service.db, { days: 90, now })).toBe(0)
    expect(await applyRetention(service.db, { days: 90, now: now + 91 * day })).toBe(1)
  })

  test('of 0 days keeps all', async () => {
    const service = await openService()
    await uploadAgo(service, 4000, ['x/a'])
    expect(await applyRetention(service.db, { days: 0, now })).toBe(0)
    expect(await runsOf(service)).toHaveLength(1)
  })

  test('takes bounded batches, oldest first, until all are gone', async () => {
    const service = await openService()
    const ids: string[] = []
    for (let i = 0; i < 30; i++) ids.push(await uploadAgo(service, 200 - i, ['x/a']))
    expect(await removeOldRuns(service.db, { before: now, limit: 2 })).toBe(2)
    expect(await runsOf(service)).toEqual(ids.slice(2))
    expect(await applyRetention(service.db, { days: 90, now })).toBe(28)
    expect(await runsOf(service)).toEqual([])
  })

  test('leaves nothing of a cluster whose last run went', async () => {
    const service = await openService()
    await uploadAgo(service, 100, ['x/a', 'x/b'], { cluster: { name: 'old' } })
    const kept = await uploadAgo(service, 1, ['x/a'], { cluster: { name: 'new' } })
    await applyRetention(service.db, { days: 90, now })
    expect(await runsOf(service)).toEqual([kept])
    expect(await countsOf(service)).toEqual({ clusters: 1, runs: 1, findings: 1, history: 1 })
  })

  test('does not turn a finding that comes back into a new one', async () => {
    const service = await openService()
    await uploadAgo(service, 100, ['x/gone-and-back', 'x/stays'])
    await uploadAgo(service, 20, ['x/stays'])
    await uploadAgo(service, 1, ['x/stays', 'x/gone-and-back', 'x/first-time'])
    expect(await applyRetention(service.db, { days: 90, now })).toBe(1)
    const compared = await service.call('compareReports')
    expect(compared.regressed_findings.map((finding) => finding.resource)).toEqual(['x/gone-and-back'])
    expect(compared.new_findings.map((finding) => finding.resource)).toEqual(['x/first-time'])
  })

  test('keeps runs comparable that are deleted by their owner later', async () => {
    const service = await openService()
    await uploadAgo(service, 100, ['x/old'])
    const deleted = await uploadAgo(service, 20, ['x/mid'])
    await uploadAgo(service, 10, ['x/other'])
    await applyRetention(service.db, { days: 90, now })
    await service.call('deleteReport', { params: { run_id: deleted } })
    await uploadAgo(service, 1, ['x/old', 'x/mid'])
    const compared = await service.call('compareReports')
    expect(compared.regressed_findings.map((finding) => finding.resource)).toEqual(['x/old'])
    expect(compared.new_findings.map((finding) => finding.resource)).toEqual(['x/mid'])
  })

  test('ends sessions that have expired', async () => {
    const { db, user } = await openService()
    const session = { user_id: user.id, nonce: 'n' }
    await db
      .insertInto('session')
      .values([
        { ...session, token_hash: Buffer.from('a'), expires_at: now },
        { ...session, token_hash: Buffer.from('b'), expires_at: now + 1 },
      ])
      .execute()
    await applyRetention(db, { days: 90, now })
    expect(await db.selectFrom('session').select('expires_at').execute()).toEqual([{ expires_at: now + 1 }])
  })
})

describe('RELT_RETENTION_DAYS', () => {
  test.each([
    [undefined, 90],
    ['', 90],
    ['0', 0],
    [' 30 ', 30],
    ['3650', 3650],
  ])('%j means %j days', (text, days) => {
    expect(readRetentionDays({ RELT_RETENTION_DAYS: text })).toBe(days)
  })

  test.each(['-1', '1.5', 'ninety', '90d', '1000000'])('%j is refused', (text) => {
    expect(() => readRetentionDays({ RELT_RETENTION_DAYS: text })).toThrow('RELT_RETENTION_DAYS is no number of days')
  })
})
