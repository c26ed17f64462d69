import { describe, expect, test } from 'vitest'
import { type RetentionDays, readRetentionDays } from '../../src/config/retention.ts'
import { applyRetention } from '../../src/operations/store-care/retention.ts'
import { recordAudit } from '../../src/store/accounts/audit.ts'
import { insertDeliveries } from '../../src/store/notifications/delivery.ts'
import { recordEvents } from '../../src/store/notifications/record-event.ts'
import { removeOldRows, removeOldRuns } from '../../src/store/store-care/retention.ts'
import { isOnPostgres } from '../helpers/memory-store.ts'
import { day, now, openService, type TestService } from '../operations/service.ts'

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

const keptFor = (days: Partial<RetentionDays>): RetentionDays => ({ runs: 0, deliveries: 0, audit: 0, ...days })

const sealedBy = ({ db, vault }: TestService) => ({ db, vault: async () => vault })

const removeRuns = async (service: TestService, days: number, at = now) =>
  (await applyRetention(sealedBy(service), keptFor({ runs: days }), at)).runs

const runsFor = async ({ db }: TestService) =>
  (await db.selectFrom('run').select('run_id').orderBy('id').execute()).map((run) => run.run_id)

const toCounts = async ({ db }: TestService) => {
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
    expect(await removeRuns(service, 90)).toBe(2)
    expect(await runsFor(service)).toEqual([third, fourth])
    expect(await removeRuns(service, 90)).toBe(0)
    expect(await toCounts(service)).toMatchObject({ runs: 2, findings: 2, clusters: 1 })
  })

  test('spares the latest baseline of each rule, unless its subject has ended', async () => {
    const service = await openService()
    const ids = [
      await uploadAgo(service, 300, ['x/a']),
      await uploadAgo(service, 200, ['x/a']),
      await uploadAgo(service, 1, ['x/a', 'x/b']),
    ]
    const pass = (run_id: string, rule: string) =>
      service.call('recordGate', {
        params: { run_id },
        body: {
          policy: { name: rule, digest: 'a3'.repeat(32) },
          rules: [{ rule, verdict: 'passed', reason: '', excepted: 0, moves: { held: [] } }],
        },
      })
    await pass(ids[0]!, 'new>=high')
    await pass(ids[1]!, 'new>=high')
    expect(await removeRuns(service, 90)).toBe(1)
    const { items } = await service.call('listGateBaselines', { query: { run_id: ids[2], rules: 'new>=high' } })
    expect(items).toMatchObject([{ run_id: ids[1], why: 'passed' }])
    await service.db.updateTable('series').set({ ended_at: now }).execute()
    expect(await removeRuns(service, 90)).toBe(1)
  })

  test('goes by when a run came in, not by when its scan ran', async () => {
    const service = await openService()
    const generatedAt = new Date((now - 300 * day) * 1000).toISOString()
    await service.upload([{ resource: 'x/a' }], { generatedAt })
    expect(await removeRuns(service, 90)).toBe(0)
    expect(await removeRuns(service, 90, now + 91 * day)).toBe(1)
  })

  test('of 0 days keeps all', async () => {
    const service = await openService()
    await uploadAgo(service, 4000, ['x/a'])
    expect(await removeRuns(service, 0)).toBe(0)
    expect(await runsFor(service)).toHaveLength(1)
  })

  test('takes bounded batches, oldest first, until all are gone', async () => {
    const service = await openService()
    const ids: string[] = []
    for (let i = 0; i < 30; i++) ids.push(await uploadAgo(service, 200 - i, ['x/a']))
    expect(await removeOldRuns(service.db, { before: now, limit: 2 })).toBe(2)
    expect(await runsFor(service)).toEqual(ids.slice(2))
    expect(await removeRuns(service, 90)).toBe(28)
    expect(await runsFor(service)).toEqual([])
  })

  test('leaves nothing of a cluster whose last run went', async () => {
    const service = await openService()
    await uploadAgo(service, 100, ['x/a', 'x/b'], { cluster: { name: 'old' } })
    const kept = await uploadAgo(service, 1, ['x/a'], { cluster: { name: 'new' } })
    await removeRuns(service, 90)
    expect(await runsFor(service)).toEqual([kept])
    expect(await toCounts(service)).toEqual({ clusters: 1, runs: 1, findings: 1, history: 1 })
  })

  test('does not turn a finding that comes back into a new one', async () => {
    const service = await openService()
    await uploadAgo(service, 100, ['x/gone-and-back', 'x/stays'])
    await uploadAgo(service, 20, ['x/stays'])
    await uploadAgo(service, 1, ['x/stays', 'x/gone-and-back', 'x/first-time'])
    expect(await removeRuns(service, 90)).toBe(1)
    const compared = await service.call('compareReports')
    expect(compared.regressed_findings.map((finding) => finding.resource)).toEqual(['x/gone-and-back'])
    expect(compared.new_findings.map((finding) => finding.resource)).toEqual(['x/first-time'])
  })

  test('keeps runs comparable that are deleted by their owner later', async () => {
    const service = await openService()
    await uploadAgo(service, 100, ['x/old'])
    const deleted = await uploadAgo(service, 20, ['x/mid'])
    await uploadAgo(service, 10, ['x/other'])
    await removeRuns(service, 90)
    await service.call('deleteReport', { params: { run_id: deleted } })
    await uploadAgo(service, 1, ['x/old', 'x/mid'])
    const compared = await service.call('compareReports')
    expect(compared.regressed_findings.map((finding) => finding.resource)).toEqual(['x/old'])
    expect(compared.new_findings.map((finding) => finding.resource)).toEqual(['x/mid'])
  })

  test('ends sessions that have expired', async () => {
    const service = await openService()
    const { db, user } = service
    const session = { user_id: user.id, nonce: 'n' }
    await db
      .insertInto('session')
      .values([
        { ...session, token_hash: Buffer.from('a'), expires_at: now },
        { ...session, token_hash: Buffer.from('b'), expires_at: now + 1 },
      ])
      .execute()
    await applyRetention(sealedBy(service), keptFor({ runs: 90 }), now)
    expect(await db.selectFrom('session').select('expires_at').execute()).toEqual([{ expires_at: now + 1 }])
  })
})

/** An entry of each kind for each moment. */
async function addEntries({ db, user }: TestService, moments: number[]): Promise<void> {
  const delivery = { userId: user.id, kind: 'test', channel: 'email', targetId: null, target: null } as const
  const state = { status: 'skipped', notBefore: null, error: null } as const
  await db.transaction().execute(async (trx) => {
    for (const at of moments) {
      await insertDeliveries(trx, [{ ...delivery, ...state, createdAt: at }])
      await recordAudit(trx, { at, user, action: 'test', subject: undefined, requestId: undefined })
    }
  })
}

async function toEntries({ db }: TestService) {
  const deliveries = await db.selectFrom('delivery').select('created_at').orderBy('id').execute()
  const audit = await db.selectFrom('audit').select('at').where('action', '=', 'test').orderBy('id').execute()
  return { deliveries: deliveries.map((row) => row.created_at), audit: audit.map((row) => row.at) }
}

describe('retention of the delivery log and the audit', () => {
  const moments = [now - 366 * day, now - 91 * day, now - 90 * day, now]

  test('goes by days of their own', async () => {
    const service = await openService()
    await addEntries(service, moments)
    const removed = await applyRetention(sealedBy(service), { runs: 0, deliveries: 90, audit: 365 }, now)
    expect(removed).toEqual({ runs: 0, deliveries: 2, audit: 1 })
    expect(await toEntries(service)).toEqual({ deliveries: moments.slice(2), audit: moments.slice(1) })
  })

  test('of 0 days keeps all', async () => {
    const service = await openService()
    await addEntries(service, moments)
    expect(await applyRetention(sealedBy(service), keptFor({}), now)).toEqual({ runs: 0, deliveries: 0, audit: 0 })
    expect(await toEntries(service)).toEqual({ deliveries: moments, audit: moments })
  })

  test('takes bounded batches, oldest first, until all are gone', async () => {
    const service = await openService()
    const old = Array.from({ length: 2500 }, (_, i) => now - 400 * day + i)
    await addEntries(service, old)
    expect(await removeOldRows(service.db, 'delivery', { before: now, limit: 2 })).toBe(2)
    expect(await removeOldRows(service.db, 'audit', { before: now, limit: 3 })).toBe(3)
    expect(await toEntries(service)).toEqual({ deliveries: old.slice(2), audit: old.slice(3) })
    const removed = await applyRetention(sealedBy(service), keptFor({ deliveries: 90, audit: 90 }), now)
    expect(removed).toEqual({ runs: 0, deliveries: 2498, audit: 2497 })
    expect(await toEntries(service)).toEqual({ deliveries: [], audit: [] })
  })

  test('removes events as long ago as the notifications about them, and keeps those that notify later', async () => {
    const service = await openService()
    const ages = [200, 91, 90, 1]
    const events = ages.map((days) => ({
      type: 'gate.failed' as const,
      at: now - days * day,
      key: `${days}`,
      data: {},
    }))
    await recordEvents(service.db, events)
    const toKeys = async () =>
      (await service.db.selectFrom('event_log').select('key').orderBy('id').execute()).map(({ key }) => key)
    await applyRetention(sealedBy(service), keptFor({ deliveries: 0 }), now)
    expect(await toKeys()).toEqual(['200', '91', '90', '1'])
    await applyRetention(sealedBy(service), keptFor({ deliveries: 90 }), now)
    expect(await toKeys()).toEqual(['90', '1'])
  })

  // Of PostgreSQL, each statement lets others through.
  test.skipIf(isOnPostgres)('lets requests through between two batches', async () => {
    const service = await openService()
    await addEntries(service, Array(1500).fill(now - 400 * day))
    const meanwhile = new Promise((resolve) => setImmediate(() => resolve(toEntries(service))))
    await applyRetention(sealedBy(service), keptFor({ deliveries: 90 }), now)
    expect(await meanwhile).toMatchObject({ deliveries: { length: 500 } })
  })
})

describe('RELT_RETENTION_DAYS', () => {
  const defaults = { runs: 90, deliveries: 90, audit: 365 }

  test.each<[Record<string, string>, Partial<RetentionDays>]>([
    [{}, {}],
    [{ RELT_RETENTION_DAYS: '', RELT_RETENTION_DAYS_AUDIT: ' ' }, {}],
    [{ RELT_RETENTION_DAYS: '0' }, { runs: 0 }],
    [{ RELT_RETENTION_DAYS: ' 30 ' }, { runs: 30 }],
    [{ RELT_RETENTION_DAYS: '3650' }, { runs: 3650 }],
    [{ RELT_RETENTION_DAYS_DELIVERIES: '7' }, { deliveries: 7 }],
    [{ RELT_RETENTION_DAYS_AUDIT: '0' }, { audit: 0 }],
  ])('%j means %j', (env, days) => {
    expect(readRetentionDays(env)).toEqual({ ...defaults, ...days })
  })

  test.each(['-1', '1.5', 'ninety', '90d', '1000000'])('%j is refused', (text) => {
    for (const name of ['RELT_RETENTION_DAYS', 'RELT_RETENTION_DAYS_DELIVERIES', 'RELT_RETENTION_DAYS_AUDIT']) {
      expect(() => readRetentionDays({ [name]: text })).toThrow(`${name} is not a number of days`)
    }
  })
})
