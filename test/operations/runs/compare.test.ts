import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Comparison } from '../../../src/contract/cluster-report.ts'
import type { Finding } from '../../../src/contract/scan-finding.ts'
import type { Db } from '../../../src/db/open.ts'
import { recordLength } from '../../../src/reports/finding-records.ts'
import { fingerprintLength } from '../../../src/reports/fingerprint.ts'
import { getFindingRecords } from '../../../src/store/runs/records.ts'
import { isOnPostgres } from '../../helpers/memory-store.ts'
import { exampleFile } from '../../helpers/report.ts'
import { day, dump, now, openService, refusalFor, type TestService, type Upload } from '../service.ts'

/** A run whose findings are letters, so many days ago. */
async function uploadLetters(
  service: TestService,
  daysAgo: number,
  letters: string,
  more: Upload = {},
): Promise<string> {
  const generatedAt = new Date((now - daysAgo * day) * 1000).toISOString()
  const rows = [...letters].map((letter) => ({ resource: `deployment/${letter}` }))
  return (await service.upload(rows, { generatedAt, passed: ['SEC001'], ...more })).run_id
}

const toLetters = (findings: Finding[]) =>
  findings
    .map((finding) => finding.resource!.split('/')[1])
    .sort()
    .join('')

const changes = (comparison: Comparison) => ({
  new: toLetters(comparison.new_findings),
  resolved: toLetters(comparison.resolved_findings),
  regressed: toLetters(comparison.regressed_findings),
  unchanged: comparison.unchanged_findings_count,
})

async function compare(service: TestService, query: object = {}): Promise<ReturnType<typeof changes>> {
  return changes(await service.call('compareReports', { query }))
}

const remove = (service: TestService, run_id: string) => service.call('deleteReport', { params: { run_id } })

describe('the example reports', () => {
  test('change as their description says', async () => {
    const service = await openService()
    const ids: string[] = []
    for (const number of [1, 2, 3] as const) {
      ids.push((await service.upload([], { report: readFileSync(exampleFile(number), 'utf8') })).run_id)
    }
    const [first, second, third] = ids
    expect(await service.call('compareReports', { query: { from_run_id: first, to_run_id: second } })).toMatchObject({
      score_delta: 11.5,
      resolved_findings_count: 14,
      new_findings_count: 4,
      regressed_findings_count: 0,
      incomparable_findings_count: 0,
    })
    const last = await service.call('compareReports')
    expect(last).toMatchObject({
      from: { run_id: second },
      to: { run_id: third },
      cluster_name: 'shop-prod',
      environment: 'prod',
      score_delta: 8.5,
      resolved_findings_count: 10,
      new_findings_count: 3,
      regressed_findings_count: 5,
      incomparable_findings_count: 0,
      scope_changes: { namespaces_excluded: [], namespaces_included: [], checks_removed: [], checks_added: [] },
    })
    expect(
      last.regressed_findings.map((f) => `${f.check_id} ${f.previous_severity ?? ''} ${f.resource}`).sort(),
    ).toEqual([
      'NET002  service/grafana',
      expect.stringMatching(/^POD001 {2}pod\/catalog-api-/),
      'SEC014 medium pod/payments-db-postgresql-0',
      'SEC014 medium pod/session-store-0',
      'WRK001  daemonset/fluent-bit',
    ])
    for (const list of ['new', 'resolved', 'regressed'] as const) {
      expect(last[`${list}_findings`]).toHaveLength(last[`${list}_findings_count`])
    }
  })
})

describe('compareReports', () => {
  test('takes the latest run against the one before, or the runs that are named', async () => {
    const service = await openService()
    const a = await uploadLetters(service, 3, 'A')
    const b = await uploadLetters(service, 2, 'AB')
    const c = await uploadLetters(service, 1, 'BC')
    expect(await compare(service)).toEqual({ new: 'C', resolved: 'A', regressed: '', unchanged: 1 })
    expect(await compare(service, { to_run_id: b })).toEqual({ new: 'B', resolved: '', regressed: '', unchanged: 1 })
    expect(await compare(service, { from_run_id: b })).toEqual(await compare(service))
    expect(await compare(service, { from_run_id: a, to_run_id: c })).toEqual({
      new: 'C',
      resolved: 'A',
      regressed: 'B',
      unchanged: 0,
    })
    expect(await compare(service, { from_run_id: c, to_run_id: a })).toEqual({
      new: 'A',
      resolved: 'BC',
      regressed: '',
      unchanged: 0,
    })
    expect(await compare(service, { from_run_id: b, to_run_id: b })).toEqual({
      new: '',
      resolved: '',
      regressed: '',
      unchanged: 2,
    })
    expect(await refusalFor(compare(service, { to_run_id: a }))).toBe(
      'not_found: No earlier report of cluster shop (prod) to compare with yet.',
    )
  })

  test.each([
    [{}, 'not_found: No run found.'],
    [{ cluster_name: 'blue' }, 'not_found: No report of cluster blue found.'],
    [{ to_run_id: 'crun_unknown' }, 'not_found: No run with id crun_unknown.'],
    [{ from_run_id: 'no id' }, 'not_found: No run with id no id.'],
  ])('says that there is nothing to compare: %j', async (query, message) => {
    expect(await refusalFor(compare(await openService(), query))).toBe(message)
  })

  test('keeps to a cluster and its environment', async () => {
    const service = await openService()
    await uploadLetters(service, 5, 'A')
    await uploadLetters(service, 4, 'B')
    await uploadLetters(service, 3, 'X', { body: { environment: 'staging' } })
    await uploadLetters(service, 2, 'Y', { body: { cluster: { name: 'blue' } } })
    await uploadLetters(service, 1, 'Z', { body: { cluster: { name: 'blue' } } })
    expect(await compare(service)).toMatchObject({ new: 'Z', resolved: 'Y' })
    expect(await compare(service, { cluster_name: 'shop', environment: 'prod' })).toMatchObject({
      new: 'B',
      resolved: 'A',
    })
    expect(await refusalFor(compare(service, { cluster_name: 'shop' }))).toBe(
      'not_found: No earlier report of cluster shop (staging) to compare with yet.',
    )
  })

  test('says the same whatever the order of the uploads', async () => {
    const runs: [daysAgo: number, letters: string][] = [
      [4, 'AB'],
      [3, 'BC'],
      [2, 'C'],
      [1, 'ABCD'],
    ]
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(runs, { minLength: 4 }), async (uploads) => {
        const service = await openService()
        const ids = new Map<number, string>()
        for (const [daysAgo, letters] of uploads) ids.set(daysAgo, await uploadLetters(service, daysAgo, letters))
        expect(await compare(service, { to_run_id: ids.get(1) })).toEqual({
          new: 'D',
          resolved: '',
          regressed: 'AB',
          unchanged: 1,
        })
        expect(await compare(service, { to_run_id: ids.get(2) })).toEqual({
          new: '',
          resolved: 'B',
          regressed: '',
          unchanged: 1,
        })
        expect(await compare(service, { to_run_id: ids.get(3) })).toEqual({
          new: 'C',
          resolved: 'A',
          regressed: '',
          unchanged: 1,
        })
      }),
      { numRuns: 24 },
    )
  })

  test('does not let a clock that runs ahead order the runs', async () => {
    const service = await openService()
    await uploadLetters(service, 1, 'A')
    const ahead = await uploadLetters(service, -1000, 'B')
    service.clock.now += 60
    const generatedAt = new Date(service.clock.now * 1000).toISOString()
    const last = await uploadLetters(service, 0, 'C', { generatedAt })
    expect(await service.call('compareReports')).toMatchObject({ from: { run_id: ahead }, to: { run_id: last } })
  })

  test('rounds the difference of scores, and has none without scores', async () => {
    const service = await openService()
    await uploadLetters(service, 4, 'A', { score: 72.3 })
    const second = await uploadLetters(service, 3, 'A', { score: 80.1 })
    const third = await uploadLetters(service, 2, 'A')
    expect(await service.call('compareReports', { query: { to_run_id: second } })).toMatchObject({ score_delta: 7.8 })
    expect(await service.call('compareReports', { query: { to_run_id: third } })).toMatchObject({ score_delta: null })
  })
})

test('finds the words of any finding among many', async () => {
  const service = await openService()
  const rows = Array.from({ length: 40_000 }, (_, i) => ({
    resource: `deployment/app-${i}`,
    message: `Container app-${i} runs as root or has no user set`,
  }))
  const changed = [1, 20_000, 39_999]
  await service.upload(rows, { generatedAt: '2026-08-30T00:00:00Z' })
  await service.upload(
    rows.filter((_, i) => !changed.includes(i)),
    { generatedAt: '2026-08-31T00:00:00Z' },
  )
  const parts = await service.db.selectFrom('run_part').select('part').where('kind', '=', 'details').execute()
  expect(Math.max(...parts.map(({ part }) => part))).toBeGreaterThan(1)
  const { resolved_findings } = await service.call('compareReports')
  expect(new Set(resolved_findings.map(({ resource, message }) => `${resource} ${message}`))).toEqual(
    new Set(changed.map((i) => `${rows[i]!.resource} ${rows[i]!.message}`)),
  )
})

describe('deleting a run', () => {
  test('hands what it was the first to show to the next run', async () => {
    const service = await openService()
    const first = await uploadLetters(service, 4, 'A')
    await uploadLetters(service, 3, 'A')
    await uploadLetters(service, 2, '')
    await uploadLetters(service, 1, 'A')
    await remove(service, first)
    expect(await compare(service)).toMatchObject({ new: '', regressed: 'A' })
  })

  test('makes a finding new that only it had shown before', async () => {
    const service = await openService()
    const first = await uploadLetters(service, 3, 'A')
    await uploadLetters(service, 2, '')
    await uploadLetters(service, 1, 'A')
    expect(await compare(service)).toMatchObject({ new: '', regressed: 'A' })
    await remove(service, first)
    expect(await compare(service)).toMatchObject({ new: 'A', regressed: '' })
  })

  test('compares the runs around it', async () => {
    const service = await openService()
    await uploadLetters(service, 4, 'A')
    await uploadLetters(service, 3, '')
    const middle = await uploadLetters(service, 2, 'B')
    await uploadLetters(service, 1, 'AB')
    expect(await compare(service)).toMatchObject({ new: '', regressed: 'A', unchanged: 1 })
    await remove(service, middle)
    expect(await compare(service)).toMatchObject({ new: 'B', regressed: 'A', unchanged: 0 })
  })

  test('leaves nothing of the run, nor of a cluster without runs', async () => {
    const service = await openService()
    const before = await dump(service.db)
    const run = await uploadLetters(service, 1, 'ABC')
    await remove(service, run)
    const { sqlite_sequence: _, ...after } = await dump(service.db)
    expect(after).toEqual(before)
    expect(await refusalFor(service.call('getReport', { params: { run_id: run } }))).toBe(
      `not_found: No run with id ${run}.`,
    )
    expect(await refusalFor(remove(service, run))).toBe(`not_found: No run with id ${run}.`)
  })

  // The trigger is SQLite's.
  test.skipIf(isOnPostgres)('leaves everything when it fails midway', async () => {
    const service = await openService()
    const run = await uploadLetters(service, 2, 'AB')
    await uploadLetters(service, 1, 'A')
    await sql`create trigger no before delete on run begin select raise(abort, 'no'); end`.execute(service.db)
    const before = await dump(service.db)
    await expect(remove(service, run)).rejects.toThrow('no')
    expect(await dump(service.db)).toEqual(before)
  })
})

test('history stays right through any uploads and deletions', async () => {
  const letters = fc.subarray([...'ABCDE']).map((list) => list.join(''))
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ daysAgo: fc.integer({ min: 1, max: 6 }), letters }) },
    { weight: 1, arbitrary: fc.record({ delete: fc.nat(9) }) },
  )
  let serial = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      const service = await openService()
      let runs: { id: string; daysAgo: number; letters: string }[] = []
      for (const step of steps) {
        if ('delete' in step) {
          const [gone] = runs.splice(step.delete % Math.max(runs.length, 1), 1)
          if (gone) await remove(service, gone.id)
        } else {
          // The score makes each report another one.
          const id = await uploadLetters(service, step.daysAgo, step.letters, {
            score: serial++ % 100,
            cluster: 'shop',
          })
          // Runs of one time stand in the order of their uploads.
          if (!runs.some((run) => run.id === id)) runs.push({ id, ...step })
          runs = runs.toSorted((a, b) => b.daysAgo - a.daysAgo)
        }
        expect(await historyFor(service.db)).toEqual(await toExpectedHistory(service.db))
      }
      for (const [i, to] of runs.entries()) {
        const from = runs[i - 1]
        if (!from) continue
        const came = [...to.letters].filter((letter) => !from.letters.includes(letter))
        const seen = (letter: string) => runs.slice(0, i).some((run) => run.letters.includes(letter))
        expect(await compare(service, { to_run_id: to.id })).toEqual({
          new: came.filter((letter) => !seen(letter)).join(''),
          resolved: [...from.letters].filter((letter) => !to.letters.includes(letter)).join(''),
          regressed: came.filter(seen).join(''),
          unchanged: to.letters.length - came.length,
        })
      }
    }),
    { numRuns: 60 },
  )
})

async function historyFor(db: Db): Promise<unknown[]> {
  const rows = await db.selectFrom('finding_history').selectAll().orderBy('cluster_id').orderBy('fingerprint').execute()
  return rows.map((row) => ({ ...row, fingerprint: Buffer.from(row.fingerprint).toString('hex') }))
}

/** Read anew from the records of all runs. */
async function toExpectedHistory(db: Db): Promise<unknown[]> {
  const runs = await db
    .selectFrom('run')
    .select(['run.id', 'run.at', 'run.cluster_id'])
    .orderBy('run.at', 'desc')
    .orderBy('run.id', 'desc')
    .execute()
  const firsts = new Map<string, object>()
  for (const { id, at, cluster_id } of runs) {
    const records = await getFindingRecords(db, id)
    for (let offset = 0; offset < records.length; offset += recordLength) {
      const fingerprint = Buffer.from(records.subarray(offset, offset + fingerprintLength)).toString('hex')
      firsts.set(`${cluster_id} ${fingerprint}`, { cluster_id, fingerprint, first_at: at, first_run_id: id })
    }
  }
  return [...firsts.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, first]) => first)
}

test('runs of another user do not exist', async () => {
  const service = await openService()
  const mine = [await uploadLetters(service, 2, 'A'), await uploadLetters(service, 1, 'B')]
  const ada = await service.addUser('ada')
  const before = await dump(service.db)
  const asAda = <T>(name: string, query: object = {}, params: object = {}) =>
    service.call(name as 'getReport', { user: ada, query, params }) as Promise<T>

  for (const id of mine) {
    for (const name of ['getReport', 'reportFreshness', 'deleteReport']) {
      expect(await refusalFor(asAda(name, {}, { run_id: id }))).toBe(`not_found: No run with id ${id}.`)
    }
    for (const query of [{ from_run_id: id }, { to_run_id: id }]) {
      expect(await refusalFor(asAda('compareReports', query))).toBe(`not_found: No run with id ${id}.`)
    }
  }
  expect(await refusalFor(asAda('compareReports', { cluster_name: 'shop' }))).toBe(
    'not_found: No report of cluster shop found.',
  )
  expect(await asAda('listReports')).toMatchObject({ total: 0, items: [] })
  expect(await asAda('listReports', { cluster_name: 'shop', environment: 'prod' })).toMatchObject({
    total: 0,
    items: [],
  })
  expect(await asAda('reportTrends', { cluster_name: 'shop' })).toMatchObject({ points: [] })
  expect(await asAda('reportTrends', { group_by_cluster: true })).toMatchObject({ clusters: [] })
  expect(await dump(service.db)).toEqual(before)

  // A cluster of the same name has a history of its own.
  await uploadLetters(service, 2, '', { user: ada })
  const hers = await uploadLetters(service, 1, 'A', { user: ada })
  expect(changes(await asAda('compareReports'))).toMatchObject({ new: 'A', regressed: '' })
  expect(await refusalFor(asAda('compareReports', { from_run_id: mine[0], to_run_id: hers }))).toBe(
    `not_found: No run with id ${mine[0]}.`,
  )
})
