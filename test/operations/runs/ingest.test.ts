import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/db/open.ts'
import { recordLength } from '../../../src/reports/finding-records.ts'
import { fingerprintLength } from '../../../src/reports/fingerprint.ts'
import { readScan } from '../../../src/reports/formats/index.ts'
import { temporaryFolder } from '../../helpers/cli.ts'
import { isOnPostgres } from '../../helpers/memory-store.ts'
import { exampleFile, nativeReportFile } from '../../helpers/report.ts'
import { type Row, scan, toBytes } from '../../reports/scan.ts'
import { day, dump, now, openService, refusalFor, type TestService, type Upload } from '../service.ts'

const rows: Row[] = [
  { resource: 'pod/web-65cc8855c-ghk9m', severity: 'critical' },
  { check: 'NET001', resource: 'service/web' },
]

async function uploaded(service: TestService, upload: Upload = {}) {
  const { run_id } = await service.upload(rows, upload)
  return service.call('getReport', { params: { run_id } })
}

const at = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

describe('an upload', () => {
  test('is kept with all that was said of it', async () => {
    const service = await openService()
    const report = {
      ...scan(rows, { score: 72.5, passed: ['POD001'] }),
      artifacts: { apps: [{ name: 'a', version: '1' }] },
    }
    const body = {
      source: 'kubebuddy',
      source_version: '1.2.3',
      environment: 'staging',
      cluster: { name: 'blue', provider: 'aks', region: 'uksouth' },
      run: { started_at: '2026-08-31T06:00:00Z', finished_at: '2026-08-31 06:02:00', duration_seconds: 119.5 },
      ci: { provider: 'github', repository: 'a/b', commit: 'abc', branch: null, build_url: '' },
    }
    const result = await service.upload([], { report, body })
    expect(result).toEqual({
      success: true,
      run_id: expect.stringMatching(/^crun_[a-z2-7]{16}$/),
      ingested_at: at(now),
      processing_status: 'ready',
      not_run_checks: 0,
    })
    const run = {
      run_id: result.run_id,
      cluster_name: 'blue',
      environment: 'staging',
      provider: 'aks',
      region: 'uksouth',
      source: 'kubebuddy',
      source_version: '1.2.3',
      kubernetes_version: 'v1.33.6',
      score: 72.5,
      score_source: 'scanner',
      format: 'kubebuddy',
      total_checks: 3,
      failed_checks: 2,
      passed_checks: 1,
      is_empty: false,
      not_run_checks: 0,
      scope_gaps: 0,
      gaps_key: '',
      suppressed_findings: 0,
      findings: { total: 2, critical: 1, high: 0, medium: 1, low: 0, info: 0, unknown: 0 },
      artifacts: { images: 0, helm_charts: 0, apps: 1 },
      started_at: '2026-08-31 06:00:00',
      finished_at: '2026-08-31 06:02:00',
      duration_seconds: 119.5,
      ingested_at: at(now),
      processing_status: 'ready',
      size_bytes: toBytes(report).length,
      ci: { provider: 'github', repository: 'a/b', commit: 'abc' },
      gate: null,
      vulnerability_scan: false,
    }
    const details = {
      ...{ checks_not_run: [], guidance: [], risk_paths: null, aks_readiness: null },
      ...{ first_seen_checks: null, missing_checks: null },
      scanner: 'kubebuddy',
      subjects: [expect.objectContaining({ kind: 'cluster', name: '' })],
    }
    const params = { run_id: result.run_id }
    expect(await service.call('getReport', { params })).toEqual({ ...run, ...details })
    expect(await service.call('getReport', { params, query: { include_report: 'true' } })).toEqual({
      ...run,
      ...details,
      inventory: expect.objectContaining({ images: expect.any(Array) }),
      report: JSON.parse(JSON.stringify(report)),
    })
    const query = { cluster_name: 'blue', environment: 'staging' }
    expect((await service.call('listReports', { query })).items).toEqual([run])
  })

  test.each([
    ['native', nativeReportFile],
    ['first example', exampleFile(1)],
    ['second example', exampleFile(2)],
    ['third example', exampleFile(3)],
  ])('gives the %s report back as it came', async (_, file) => {
    const { call, upload } = await openService()
    const text = readFileSync(file, 'utf8')
    for (const written of [text, `\ufeff${text} \n`]) {
      const { run_id } = await upload([], { report: written })
      const run = await call('getReport', { params: { run_id }, query: { include_report: true } })
      expect(run.report).toEqual(JSON.parse(text))
    }
  })

  test('shows nothing of what it names in the store', async () => {
    const file = join(temporaryFolder(), 'relt.db')
    const { db, upload } = await openService(file)
    const secret = 'very-secret-workload'
    await upload([
      { namespace: secret, resource: `deployment/${secret}`, message: `${secret} is wrong`, value: secret },
      { check: 'SEC014', value: `registry.example/${secret}:1` },
    ])
    await sql`pragma wal_checkpoint`.execute(db)
    expect(readFileSync(file).includes('shop')).toBe(true)
    for (const name of [file, `${file}-wal`]) expect(readFileSync(name).includes(secret)).toBe(false)
  })

  // The trigger is SQLite's.
  test.skipIf(isOnPostgres).each(['run', 'run_part', 'run_finding', 'finding_history'])(
    'leaves nothing behind when %s cannot be written',
    async (table) => {
      const { db, upload } = await openService()
      await upload([], { cluster: 'other' })
      await sql`create trigger no before insert on ${sql.table(table)} begin select raise(abort, 'no'); end`.execute(db)
      const before = await dump(db)
      await expect(upload(rows)).rejects.toThrow('no')
      expect(await dump(db)).toEqual(before)

      await sql`drop trigger no`.execute(db)
      expect(await upload(rows)).not.toHaveProperty('duplicate')
    },
  )

  test.each<[string, unknown, string]>([
    ['no JSON', '{"metadata": ', 'invalid_json: The report is not valid JSON: it ends too early.'],
    ['no report', [], 'invalid_param: Invalid parameter(s): report'],
    [
      'a wrong check at its end',
      { ...scan(rows), checks: { ...scan(rows).checks, X: 5 } },
      'invalid_param: Invalid parameter(s): report.checks.X',
    ],
    [
      'a score beyond the limit',
      { ...scan(rows), metadata: { clusterName: 'shop', score: 101 } },
      'invalid_param: Invalid parameter(s): report.metadata.score',
    ],
    ['no cluster', { checks: { A: { ID: 'A', Total: 0 } } }, 'invalid_param: Missing parameter(s): cluster.name'],
    ['a blank cluster', { metadata: { clusterName: ' ' } }, 'invalid_param: Missing parameter(s): cluster.name'],
  ])('leaves nothing behind when it has %s', async (_, report, message) => {
    const isNamed = message.includes('report.')
    const { db, upload } = await openService()
    const before = await dump(db)
    expect(
      await refusalFor(
        upload([], { report, body: { cluster: { name: '' }, ...(isNamed && { format: 'kubebuddy' }) } }),
      ),
    ).toBe(message)
    expect(await dump(db)).toEqual(before)
  })

  test.each([
    [{ cluster: { name: 'blue' } }, 'blue', 'prod'],
    [{ cluster: { name: '' } }, 'shop', 'prod'],
    [{ cluster: { name: null }, environment: '' }, 'shop', 'prod'],
    [{ cluster: null, environment: null }, 'shop', 'prod'],
    [{ environment: ' staging ' }, 'shop', 'staging'],
  ])('belongs to the cluster that %j and its report name', async (body, cluster_name, environment) => {
    expect(await uploaded(await openService(), { body })).toMatchObject({ cluster_name, environment })
  })
})

describe('the same upload again', () => {
  const same: Upload = { generatedAt: '2026-08-30T00:00:00Z' }
  const other: Upload = { generatedAt: '2026-08-31T00:00:00Z' }

  test.each<[string, Upload, Upload]>([
    ['with the same content', same, same],
    [
      'with the same content and other words around it',
      same,
      { ...same, body: { source: 'x', run: { finished_at: '2026-08-01' } } },
    ],
    ['with a byte-order mark', same, { report: `\ufeff${JSON.stringify(scan(rows, same))}` }],
    ['with space around it', same, { report: ` ${JSON.stringify(scan(rows, same))}\r\n` }],
    ['with the same key', { ...same, idempotencyKey: 'k' }, { ...same, idempotencyKey: 'k' }],
    ['with the same key and other content', { ...same, idempotencyKey: 'k' }, { ...other, idempotencyKey: 'k' }],
    ['with the same content and another key', { ...same, idempotencyKey: 'k' }, { ...same, idempotencyKey: 'l' }],
  ])('%s is answered with the first run and changes nothing', async (_, first, again) => {
    const { db, clock, upload } = await openService()
    const { run_id, ingested_at } = await upload(rows, first)
    const before = await dump(db)
    clock.now += 60
    expect(await upload(rows, again)).toEqual({
      success: true,
      run_id,
      ingested_at,
      processing_status: 'ready',
      not_run_checks: 0,
      duplicate: true,
    })
    expect(await dump(db)).toEqual(before)
  })

  test.each([
    ['Ô\u0004x\u001fy\u0085', 'Ô x y'],
    [' shop\n', 'shop'],
    ['Caf\u0065\u0301', 'Caf\u00e9'],
    [`${'a'.repeat(252)} b`, 'a'.repeat(252)],
  ])('of a cluster that its report names %j is found by a query', async (clusterName, cluster_name) => {
    const service = await openService()
    await uploaded(service, { report: { ...scan(rows), metadata: { clusterName } } })
    const { items } = await service.call('listReports', { query: { cluster_name } })
    expect(items).toMatchObject([{ cluster_name }])
  })

  test('is a run of its own for another cluster, environment or user', async () => {
    const { db, upload, addUser } = await openService()
    const first = { ...same, idempotencyKey: 'k' }
    const uploads = [
      first,
      { ...first, body: { cluster: { name: 'blue' } } },
      { ...first, body: { environment: 'staging' } },
      { ...first, user: await addUser('ada') },
      { ...other, idempotencyKey: 'l' },
      { ...same, report: JSON.stringify(scan(rows, same), null, 1) },
    ]
    for (const again of uploads) expect(await upload(rows, again)).not.toHaveProperty('duplicate')
    expect((await dump(db)).run).toHaveLength(6)
  })

  test('at the same time becomes one run', async () => {
    const { db, upload } = await openService()
    const results = await Promise.all([upload(rows, same), upload(rows, same), upload(rows, same)])
    expect(new Set(results.map((result) => result.run_id)).size).toBe(1)
    expect(results.filter((result) => result.duplicate)).toHaveLength(2)
    expect((await dump(db)).run).toHaveLength(1)
  })

  test('is a new run after the first was deleted', async () => {
    const { call, upload } = await openService()
    const { run_id } = await upload(rows, same)
    await call('deleteReport', { params: { run_id } })
    expect(await upload(rows, same)).not.toHaveProperty('duplicate')
  })
})

describe('the time of a scan', () => {
  const generatedAt = '2026-08-30T00:00:00Z'
  const scanned = Date.UTC(2026, 7, 30) / 1000

  test.each<[string, object, string | undefined, number, object]>([
    [
      'is when it finished',
      { started_at: '2026-08-29T10:00:00Z', finished_at: '2026-08-29 10:05:00' },
      generatedAt,
      Date.UTC(2026, 7, 29, 10, 5) / 1000,
      { started_at: '2026-08-29 10:00:00', finished_at: '2026-08-29 10:05:00', duration_seconds: 300 },
    ],
    [
      'is when the report was made',
      { started_at: '2026-08-29T23:50:00Z' },
      generatedAt,
      scanned,
      { started_at: '2026-08-29 23:50:00', finished_at: '2026-08-30 00:00:00', duration_seconds: 600 },
    ],
    [
      'is when the report was made if the rest is empty',
      { started_at: '', finished_at: '' },
      generatedAt,
      scanned,
      { started_at: null, finished_at: '2026-08-30 00:00:00', duration_seconds: null },
    ],
    [
      'is when it started',
      { started_at: '2026-08-30T00:00:00Z' },
      undefined,
      scanned,
      { finished_at: null, duration_seconds: null },
    ],
    ['is now when nothing tells', {}, undefined, now, { started_at: null, finished_at: null }],
    ['is now when the report says nonsense', {}, 'yesterday', now, { started_at: null, finished_at: null }],
    [
      'is now when its clock runs ahead',
      { finished_at: '2031-01-01' },
      undefined,
      now,
      { finished_at: '2031-01-01 00:00:00' },
    ],
    ['is now when the clock of the report runs ahead', {}, '2031-01-01T00:00:00Z', now, {}],
    [
      'takes as long as it says',
      { started_at: '2026-08-30T00:00:00Z', finished_at: '2026-08-30T00:00:10Z', duration_seconds: 8.25 },
      undefined,
      scanned + 10,
      { duration_seconds: 8.25 },
    ],
    [
      'takes no time when it ends before it starts',
      { started_at: '2026-08-30T00:00:10Z', finished_at: '2026-08-30T00:00:00Z' },
      undefined,
      scanned,
      { duration_seconds: null },
    ],
  ])('%s', async (_, run, generatedAt, expected, record) => {
    const service = await openService()
    expect(await uploaded(service, { body: { run }, ...(generatedAt && { generatedAt }) })).toMatchObject(record)
    const { points } = (await service.call('reportTrends', { query: { window_days: 365 } })) as {
      points: { at: string }[]
    }
    expect(points.map((point) => point.at)).toEqual([at(expected)])
  })

  test('orders the runs of a cluster, whatever the order of their uploads', async () => {
    const { call, clock, upload } = await openService()
    const named = new Map<string, string>()
    for (const name of ['c', 'a', 'e', 'b', 'd']) {
      clock.now += 1
      const generatedAt = new Date((now - day * (10 - 'abcde'.indexOf(name))) * 1000).toISOString()
      named.set((await upload([{ resource: `x/${name}` }], { generatedAt })).run_id, name)
    }
    const { items } = await call('listReports')
    expect(items.map((run) => named.get(run.run_id)).join('')).toBe('edcba')
    const trend = (await call('reportTrends')) as { points: { run_id: string }[] }
    expect(trend.points.map((point) => named.get(point.run_id)).join('')).toBe('abcde')
  })

  test('orders runs of one second by their uploads', async () => {
    const { call, upload } = await openService()
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) {
      ids.unshift((await upload([{ resource: `x/${name}` }], { generatedAt: '2026-08-30T00:00:00Z' })).run_id)
    }
    expect((await call('listReports')).items.map((run) => run.run_id)).toEqual(ids)
  })
})

test('a store that another process holds open takes the upload all the same', async () => {
  const file = join(temporaryFolder(), 'relt.db')
  const service = await openService(file)
  const other = await openDatabase(file)
  await uploaded(service)
  expect((await dump(other)).run).toHaveLength(1)
  await other.destroy()
})

test('a run that came in while the clock was ahead is not the latest for long', async () => {
  const { call, clock, upload } = await openService()
  const rows = (id: string) => [{ resource: `pod/${id}` }]
  const real = clock.now
  const first = await upload(rows('a'))
  clock.now = real + 365 * 86_400
  const ahead = await upload(rows('b'))
  clock.now = real + 60
  const next = await upload(rows('c'))
  const { items } = await call('listReports', { query: { cluster_name: 'shop' } })
  expect(items.map(({ run_id }) => run_id)).toEqual([next.run_id, ahead.run_id, first.run_id])
  const comparison = await call('compareReports', { query: { to_run_id: next.run_id } })
  expect(comparison.from.run_id).toBe(ahead.run_id)
})

test('a guess of a finding or of a report is nowhere in the store', async () => {
  const { db, upload } = await openService()
  const report = scan(Array.from({ length: 50 }, (_, i) => ({ resource: `deployment/app-${toLetters(i)}` })))
  await upload([], { report })
  // What anybody can compute who knows the rules, which are public.
  const { index } = await readScan(toBytes(report))
  const guesses = Array.from({ length: index.records.length / recordLength }, (_, i) =>
    index.records.toString('hex', i * recordLength, i * recordLength + fingerprintLength),
  )
  guesses.push(hash('sha256', toBytes(report), 'hex'))
  expect(guesses).toHaveLength(51)
  const [run] = await db.selectFrom('run').select('content_hash').execute()
  const [finding] = await db.selectFrom('run_finding').select('records').execute()
  const history = await db.selectFrom('finding_history').select('fingerprint').execute()
  const stored = [run!.content_hash, finding!.records, ...history.map(({ fingerprint }) => fingerprint)]
    .map((bytes) => Buffer.from(bytes).toString('hex'))
    .join('\n')
  expect(guesses.filter((guess) => stored.includes(guess))).toEqual([])
})

/** Numbers do not identify. */
const toLetters = (number: number) => String.fromCharCode(97 + Math.floor(number / 10), 97 + (number % 10)).repeat(3)
