import { describe, expect, test } from 'vitest'
import { compareRuns, type Difference } from '../../../src/reports/compare.ts'
import type { RunFindings } from '../../../src/reports/run-findings.ts'
import { read, toRun } from './fixture.ts'

interface Report {
  /** Namespace and workload: `shop/deployment/web`; the container is `app`. */
  of: string[]
  cves: string[]
  image?: string
}

interface Collected {
  vulnerabilities?: Report[]
  /** Failed checks by workload. */
  checks?: Record<string, string[]>
  /** What runs: `shop/deployment/web`; null: not known. */
  running: string[] | null
  /** No vulnerability report could be read. */
  isUnread?: boolean
}

const toParts = (place: string) => {
  const [namespace = '', ...rest] = place.split('/')
  return { namespace, resource: rest.join('/') }
}

const none = { criticalCount: 0, highCount: 0, mediumCount: 0, lowCount: 0 }

/** A list as `relt scan collect` writes it. */
function collected({ vulnerabilities = [], checks = {}, running, isUnread = false }: Collected): string {
  const apiVersion = 'aquasecurity.github.io/v1alpha1'
  const rows = running?.map((place) => {
    const { namespace, resource } = toParts(place)
    return [namespace, resource, 'app']
  })
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    collection: {
      collected_at: '2026-11-23 12:00:00',
      running: rows ?? null,
      running_gap: 'forbidden',
      unread_kinds: isUnread
        ? [{ kind: 'VulnerabilityReport', category: 'Vulnerability', reason: 'none', expected: true }]
        : [],
    },
    items: [
      ...vulnerabilities.map(({ of, cves, image = 'web' }) => ({
        apiVersion,
        kind: 'VulnerabilityReport',
        workloads: of.map((place) => ({ ...toParts(place), container: 'app' })),
        report: {
          artifact: { repository: image, tag: '1.0' },
          summary: { ...none, highCount: cves.length, noneCount: 0, unknownCount: 0 },
          vulnerabilities: cves.map((id) => ({ vulnerabilityID: id, resource: 'openssl', severity: 'HIGH' })),
        },
      })),
      ...Object.entries(checks).map(([place, failed]) => ({
        apiVersion,
        kind: 'ConfigAuditReport',
        workloads: [toParts(place)],
        report: {
          summary: { ...none, lowCount: failed.length },
          checks: failed.map((id) => ({ checkID: id, severity: 'LOW', success: false, messages: [id] })),
        },
      })),
    ],
  })
}

const web = 'shop/deployment/web'
const api = 'shop/deployment/api'
const ofWeb = (...cves: string[]): Report => ({ of: [web], cves })
const other: Report = { of: [api], cves: ['CVE-9'], image: 'api' }

/** Compares each run with the one before it, as they are stored one after the other. */
async function history(...lists: Collected[]): Promise<Difference[]> {
  const runs: RunFindings[] = []
  const differences: Difference[] = []
  for (const list of lists) {
    const run = toRun(await read(collected(list)))
    const before = runs.at(-1)
    const older = runs.slice(0, -1).reverse()
    if (before) {
      const earlier = async function* () {
        yield* older
      }
      differences.push(await compareRuns({ ...before, earlier }, run, async () => new Set()))
    }
    runs.push(run)
  }
  return differences
}

const told = ({ new: added, resolved, regressed, incomparable, unchangedCount }: Difference) => ({
  new: added.map(({ check_id }) => check_id).sort(),
  resolved: resolved.map(({ check_id }) => check_id).sort(),
  regressed: regressed.length,
  incomparable: incomparable.map(({ reason, check_id, count }) => `${reason} ${check_id} ${count}`),
  unchanged: unchangedCount,
})
const nothing = { new: [], resolved: [], regressed: 0, incomparable: [] }

describe('a report that is missing for a while', () => {
  const running = [web, api]
  const without = { vulnerabilities: [other], running }

  test('resolves nothing, and is compared with the last run that had it when it is back', async () => {
    const [gone, back, empty] = await history(
      { vulnerabilities: [ofWeb('CVE-A'), other], running },
      without,
      { vulnerabilities: [ofWeb('CVE-A', 'CVE-B'), other], running },
      { vulnerabilities: [ofWeb(), other], running },
    )
    expect(told(gone!)).toEqual({ ...nothing, incomparable: ['report_missing CVE-A 1'], unchanged: 1 })
    expect(told(back!)).toEqual({ ...nothing, new: ['CVE-B'], unchanged: 2 })
    expect(told(empty!)).toEqual({ ...nothing, resolved: ['CVE-A', 'CVE-B'], unchanged: 1 })
  })

  test('may be missing several times', async () => {
    const first = { vulnerabilities: [ofWeb('CVE-A'), other], running }
    const [, again, back] = await history(first, without, without, first)
    expect(told(again!)).toEqual({ ...nothing, unchanged: 1 })
    expect(told(back!)).toEqual({ ...nothing, unchanged: 2 })
  })

  test('resolves what it no longer has when it is back', async () => {
    const [, back] = await history({ vulnerabilities: [ofWeb('CVE-A'), other], running }, without, {
      vulnerabilities: [ofWeb(), other],
      running,
    })
    expect(told(back!)).toEqual({ ...nothing, resolved: ['CVE-A'], unchanged: 1 })
  })

  test('which never was there brings new findings', async () => {
    const [first] = await history(without, { vulnerabilities: [ofWeb('CVE-A'), other], running })
    expect(told(first!)).toEqual({ ...nothing, new: ['CVE-A'], unchanged: 1 })
  })

  test('may be the only one of its kind', async () => {
    const checks = { [web]: ['KSV1'] }
    const [gone, back, empty] = await history(
      { vulnerabilities: [ofWeb('CVE-A')], checks, running: [web] },
      { isUnread: true, checks, running: [web] },
      { vulnerabilities: [ofWeb('CVE-A', 'CVE-B')], checks, running: [web] },
      { vulnerabilities: [ofWeb()], checks, running: [web] },
    )
    expect(told(gone!)).toEqual({ ...nothing, incomparable: ['check_not_run CVE-A 1'], unchanged: 1 })
    expect(told(back!)).toEqual({ ...nothing, new: ['CVE-B'], unchanged: 2 })
    expect(told(empty!)).toEqual({ ...nothing, resolved: ['CVE-A', 'CVE-B'], unchanged: 1 })
  })

  test('of a kind that could never be read before brings nothing new', async () => {
    const checks = { [web]: ['KSV1'] }
    const [first] = await history(
      { isUnread: true, checks, running: [web] },
      { vulnerabilities: [ofWeb('CVE-A')], checks, running: [web] },
    )
    expect(told(first!)).toEqual({ ...nothing, incomparable: ['check_not_run CVE-A 1'], unchanged: 1 })
  })

  test('is about checks of a workload, too', async () => {
    const audits = (checks: Record<string, string[]>) => ({ checks, running })
    const [gone, back] = await history(
      audits({ [web]: ['KSV1'], [api]: ['KSV1'] }),
      audits({ [api]: ['KSV1'] }),
      audits({ [web]: ['KSV1', 'KSV2'], [api]: [] }),
    )
    expect(told(gone!)).toEqual({ ...nothing, incomparable: ['report_missing KSV1 1'], unchanged: 1 })
    expect(told(back!)).toEqual({ ...nothing, new: ['KSV2'], resolved: ['KSV1'], unchanged: 1 })
  })

  test('of one workload leaves the other ones of its image', async () => {
    const [gone, back] = await history(
      { vulnerabilities: [{ of: [web, api], cves: ['CVE-A'] }], running },
      { vulnerabilities: [{ of: [api], cves: ['CVE-A'] }], running },
      { vulnerabilities: [{ of: [web, api], cves: ['CVE-A'] }], running },
    )
    expect(told(gone!)).toEqual({ ...nothing, incomparable: ['report_missing CVE-A 1'], unchanged: 0 })
    expect(told(back!)).toEqual({ ...nothing, unchanged: 1 })
  })
})

describe('what no longer runs', () => {
  test('is resolved', async () => {
    const [gone] = await history(
      { vulnerabilities: [ofWeb('CVE-A'), other], running: [web, api] },
      { vulnerabilities: [other], running: [api] },
    )
    expect(told(gone!)).toEqual({ ...nothing, resolved: ['CVE-A'], unchanged: 1 })
  })

  test('is not resolved where it is not known what runs', async () => {
    const [gone] = await history(
      { vulnerabilities: [ofWeb('CVE-A'), other], checks: { [web]: ['KSV1'] }, running: [web, api] },
      { vulnerabilities: [other], running: null },
    )
    expect(told(gone!)).toEqual({
      ...nothing,
      incomparable: ['report_missing CVE-A 1', 'report_missing KSV1 1'],
      unchanged: 1,
    })
  })

  test('is not resolved if it is of a kind that an inventory does not list', async () => {
    const [gone] = await history(
      { checks: { 'shop/role/reader': ['KSV1'], [web]: ['KSV2'] }, running: [web] },
      { checks: { [web]: ['KSV2'] }, running: [web] },
    )
    expect(told(gone!)).toEqual({ ...nothing, incomparable: ['report_missing KSV1 1'], unchanged: 1 })
  })
})

describe('a finding of an image', () => {
  const running = [web, api]

  test('is new in a workload that gets it, although another has it', async () => {
    const [difference] = await history(
      { vulnerabilities: [ofWeb('CVE-A'), { of: [api], cves: [] }], running },
      { vulnerabilities: [{ of: [web, api], cves: ['CVE-A'] }], running },
    )
    expect(told(difference!)).toEqual({ ...nothing, new: ['CVE-A'], unchanged: 0 })
    expect(difference!.new).toMatchObject([{ count: 2, count_delta: 1, namespace: 'shop' }])
  })

  test('names its workloads', async () => {
    const [difference] = await history(
      { vulnerabilities: [other], running },
      {
        vulnerabilities: [other, { of: [web, 'ops/cronjob/nightly'], cves: ['CVE-A'] }],
        running: [...running, 'ops/cronjob/nightly'],
      },
    )
    expect(difference!.new).toMatchObject([
      {
        namespace: null,
        resource: 'image/web',
        count: 2,
        workloads: [
          { namespace: 'shop', resource: 'deployment/web', container: 'app' },
          { namespace: 'ops', resource: 'cronjob/nightly', container: 'app' },
        ],
      },
    ])
  })

  test('stays the same with another tag', async () => {
    const list = { vulnerabilities: [ofWeb('CVE-A')], running: [web] }
    const [before, after] = [collected(list), collected(list).replace('"tag":"1.0"', '"tag":"2.0"')]
    const [from, to] = [toRun(await read(before)), toRun(await read(after))]
    expect(told(await compareRuns(from, to, async () => new Set()))).toEqual({ ...nothing, unchanged: 1 })
  })
})
