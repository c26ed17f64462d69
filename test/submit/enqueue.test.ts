import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReportEnvelope } from '../../src/contract/cluster-report.ts'
import { ReltError } from '../../src/errors.ts'
import { enqueue } from '../../src/submit/enqueue.ts'
import { testNow } from '../helpers/cli.ts'
import { now, openService, type TestService } from '../operations/service.ts'
import { fixture, fixtureNames } from '../reports/formats/fixture.ts'
import { type Row, scan } from '../reports/scan.ts'
import { openContext } from './context.ts'

const rows: Row[] = [{ resource: 'pod/web-65cc8855c-ghk9m', severity: 'critical' }]
const bytes = (report: unknown) => Buffer.from(typeof report === 'string' ? report : JSON.stringify(report))

let service: TestService
let close: () => Promise<void>
beforeAll(async () => {
  service = await openService(':memory:', (end) => {
    close = end
  })
})
afterAll(() => close())

const reason = new ReltError('unreachable', 'The server does not answer.')

let count = 0
/** In a cluster of its own, so that no upload repeats another. */
const shop = () => `shop-${count++}`

/** The run of an upload while it waits, and as the server stores it later. */
async function runsFor(report: Uint8Array, body: ReportEnvelope) {
  const { context } = openContext()
  const { run: waiting, spool_id } = await enqueue(
    { ...context, now: () => now },
    { body, report, idempotencyKey: 'mine' },
    reason,
  )
  const content = context.spool.read(spool_id)!
  const { run_id } = await service.call('uploadReport', { body: content.body, report: content.report })
  // Only the server knows the accepted scope.
  const run = await service.call('getReport', { params: { run_id } })
  const { scope_gaps, gaps_key, first_seen_checks, missing_checks, ...stored } = run
  return { waiting: { ...waiting, run_id: '' }, stored: { ...stored, run_id: '' } }
}

describe('the run of a spooled upload', () => {
  test.each(fixtureNames)('of %s is the run that the server stores', async (name) => {
    const { waiting, stored } = await runsFor(bytes(fixture(name)), { cluster: { name: shop() } })
    expect(waiting).toEqual(stored)
  })

  test('counts suppressed findings', async () => {
    const suppressed = JSON.parse(fixture('trivy-image'))
    suppressed.Results[0].ExperimentalModifiedFindings = [
      {
        Type: 'vulnerability',
        Status: 'ignored',
        Statement: 'not reachable',
        Finding: { VulnerabilityID: 'CVE-2026-1', PkgName: 'zlib', InstalledVersion: '1', Severity: 'HIGH' },
      },
    ]
    const { waiting, stored } = await runsFor(bytes(suppressed), { cluster: { name: shop() } })
    expect(stored.suppressed_findings).toBe(1)
    expect(waiting.suppressed_findings).toBe(1)
  })

  test('lasts from its start to its end', async () => {
    const run = { started_at: '2026-08-31T06:00:00Z', finished_at: '2026-08-31 06:02:00' }
    const { waiting } = await runsFor(bytes(scan(rows)), { cluster: { name: shop() }, run })
    expect(waiting.duration_seconds).toBe(120)
  })

  test('has its cluster by the name in the report, as a request would spell it', async () => {
    const report = scan(rows)
    const named = { ...report, metadata: { ...report.metadata, clusterName: `cafe\u0301-${'x'.repeat(300)}` } }
    const { waiting, stored } = await runsFor(bytes(named), {})
    expect(waiting.cluster_name).toBe(`café-${'x'.repeat(248)}`)
    expect(stored.cluster_name).toBe(waiting.cluster_name)
  })

  test('is the run that the server stores, whatever the upload says beside its report', async () => {
    const text = fc.option(fc.stringMatching(/^[a-z0-9]{1,20}$/), { nil: null })
    const time = fc.option(
      fc.integer({ min: 0, max: now }).map((at) => new Date(at * 1000).toISOString()),
      { nil: null },
    )
    const duration = fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: null })
    const envelope = fc.record(
      {
        source: text,
        source_version: text,
        environment: text,
        cluster: fc.record({ provider: text, region: text }, { requiredKeys: [] }),
        run: fc.record({ started_at: time, finished_at: time, duration_seconds: duration }, { requiredKeys: [] }),
        ci: fc.option(fc.record({ provider: text, commit: text }, { requiredKeys: [] }), { nil: null }),
        artifacts: fc.option(
          fc.record({ images: fc.array(fc.record({ fullRef: fc.constantFrom('nginx:1.27.3', 'redis:7') })) }),
          { nil: null },
        ),
      },
      { requiredKeys: [] },
    )
    const reports = [scan(rows), scan(rows, { score: 61 }), JSON.parse(fixture('sarif'))].map(bytes)
    await fc.assert(
      fc.asyncProperty(envelope, fc.constantFrom(...reports), async (given, report) => {
        const body = { ...given, cluster: { ...given.cluster, name: shop() } }
        const { waiting, stored } = await runsFor(report, body)
        expect(waiting).toEqual(stored)
      }),
      { numRuns: 25 },
    )
  })
})

describe('an upload that is put into the spool', () => {
  test('calls no server, warns of what the report leaves out, and keeps its idempotency key', async () => {
    const { context, steps } = openContext()
    const submission = { body: { cluster: { name: 'blue' } }, report: bytes(scan(rows)), idempotencyKey: 'mine' }
    const { spool_id, server } = await enqueue(context, submission, reason)
    expect(server).toBe(context.server)
    expect(context.spool.list()).toMatchObject([{ id: spool_id, idempotencyKey: 'mine', created: testNow }])
    expect(steps).toEqual(['read', 'end'])
  })

  test.each<[string, ReportEnvelope, object, string]>([
    ['has no checks', { cluster: { name: 'blue' }, format: 'kubebuddy' }, { nothing: 1 }, 'invalid_param'],
    ['looked at nothing', { cluster: { name: 'blue' }, format: 'kubebuddy' }, { checks: {} }, 'invalid_param'],
    ['has an envelope that the server refuses', { environment: 'x'.repeat(200) }, scan(rows), 'invalid_param'],
  ])('is refused when it %s', async (_, body, report, code) => {
    const { context } = openContext()
    const submission = { body, report: bytes(report), idempotencyKey: 'mine' }
    await expect(enqueue(context, submission, reason)).rejects.toMatchObject({ code })
    expect(context.spool.list()).toEqual([])
  })
})
