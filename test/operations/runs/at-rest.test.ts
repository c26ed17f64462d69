import { expect, test } from 'vitest'
import type { Row } from '../../reports/scan.ts'
import { day, openCatalogService, type TestService } from '../service.ts'

interface Listed {
  kind: string
  name: string
  image?: string
  specDigest?: string
  /** Its pods, with the objects between them and it. */
  pods?: string[]
}

/** An inventory of these workloads in the namespace `shop`. */
const inventory = (workloads: Listed[]) => ({
  images: workloads.map(({ kind, name, image = 'shop/job:1', specDigest }) => ({
    ...{ fullRef: image, namespace: 'shop', workloadKind: kind, workloadName: name },
    ...(specDigest && { specDigest }),
  })),
  owners: workloads.flatMap(({ kind: ownerKind, name: ownerName, pods = [] }) =>
    pods.map((pod) => ({ namespace: 'shop', kind: 'Pod', name: pod, ownerKind, ownerName })),
  ),
})

const row = (resource: string, check = 'SEC001'): Row => ({ check, severity: 'critical', namespace: 'shop', resource })
const other = row('deployment/web', 'WRK005')

/** Scans of a cluster a day apart. */
async function scanAll({ upload, clock }: TestService, scans: { rows: Row[]; runs?: Listed[] }[]): Promise<void> {
  for (const { rows, runs } of scans) {
    clock.now += day
    const run = { finished_at: new Date(clock.now * 1000).toISOString() }
    await upload(rows, {
      passed: ['SEC001', 'WRK005', 'WRK009'],
      body: { cluster: { name: 'c' }, run, ...(runs && { artifacts: inventory(runs) }) },
    })
  }
}

const query = { cluster_name: 'c' }
async function compare({ call }: TestService) {
  const found = await call('compareReports', { query })
  return {
    new: found.new_findings_count,
    resolved: found.resolved_findings_count,
    regressed: found.regressed_findings_count,
    atRest: found.at_rest_findings_count,
    firstSeen: found.first_seen_findings_count,
  }
}
const open = async ({ call }: TestService) =>
  (await call('listFindings', { query })).items.map(
    ({ resource, is_at_rest }) => `${resource}${is_at_rest ? ' at rest' : ''}`,
  )

const none = { new: 0, resolved: 0, regressed: 0, atRest: 0, firstSeen: 0 }
const pod = 'backup-29012345-x7k2p'
const nightly: Listed = { kind: 'CronJob', name: 'backup', pods: [pod] }
const noon: Listed = { kind: 'CronJob', name: 'backup' }

test('a CronJob without pods now: neither resolved nor regressed, and open meanwhile', async () => {
  const service = await openCatalogService()
  await scanAll(service, [
    { rows: [row(`pod/${pod}`), other], runs: [nightly] },
    { rows: [other], runs: [noon] },
  ])
  expect(await compare(service)).toEqual({ ...none, atRest: 1 })
  expect((await open(service)).sort()).toEqual(['deployment/web', `pod/${pod} at rest`])
  const { items } = await service.call('listClusters', { query: {} })
  expect(items[0]!.latest_run!.findings.critical).toBe(2)
  await scanAll(service, [{ rows: [other], runs: [noon] }])
  expect(await compare(service)).toEqual({ ...none, atRest: 1 })
  // The next night it is as it was.
  await scanAll(service, [
    { rows: [row('pod/backup-29013785-m2q8w'), other], runs: [{ ...nightly, pods: ['backup-29013785-m2q8w'] }] },
  ])
  expect(await compare(service)).toEqual(none)
  // And then it is mended.
  await scanAll(service, [{ rows: [other], runs: [nightly] }])
  expect(await compare(service)).toEqual({ ...none, resolved: 1 })
})

test('with another image, it was not looked at since', async () => {
  const service = await openCatalogService()
  await scanAll(service, [
    { rows: [row(`pod/${pod}`), other], runs: [nightly] },
    { rows: [other], runs: [{ ...noon, image: 'shop/job:2' }] },
  ])
  expect(await compare(service)).toEqual(none)
  const found = await service.call('compareReports', { query })
  expect(found.not_looked_at_findings_count).toBe(1)
})

test.each<[string, Listed[] | undefined]>([
  ['the owner is gone', []],
  ['its pods are there', [nightly]],
  ['no inventory shows the owner', undefined],
])('%s: resolved', async (_, runs) => {
  const service = await openCatalogService()
  const web: Listed = { kind: 'Deployment', name: 'web', pods: ['web-7d4b9c-x2x2x'] }
  await scanAll(service, [
    { rows: [row(`pod/${pod}`), other], ...(runs && { runs: [nightly, web] }) },
    { rows: [other], ...(runs && { runs: [...runs, web] }) },
  ])
  expect(await compare(service)).toEqual({ ...none, resolved: 1 })
})

test('a row about the owner also counts beside an inventory that lists running pods alone', async () => {
  const service = await openCatalogService()
  const { upload, clock } = service
  const ofOwner = row('CronJob/backup', 'WRK009')
  const images = [{ fullRef: 'shop/web:1', namespace: 'shop', workloadKind: 'Deployment', workloadName: 'web' }]
  for (const rows of [[row(`pod/${pod}`), ofOwner], [ofOwner]]) {
    clock.now += day
    await upload(rows, { passed: ['SEC001', 'WRK009'], body: { cluster: { name: 'c' }, artifacts: { images } } })
  }
  expect(await compare(service)).toEqual({ ...none, atRest: 1 })
})

test('a row about the owner shows that it is still there', async () => {
  const service = await openCatalogService()
  const ofOwner = row('CronJob/backup', 'WRK009')
  await scanAll(service, [{ rows: [row(`pod/${pod}`), ofOwner] }, { rows: [ofOwner] }])
  expect(await compare(service)).toEqual({ ...none, atRest: 1 })
})

test('a Deployment scaled to nothing is at rest, and a mended one is resolved', async () => {
  const service = await openCatalogService()
  const name = 'web-65cc8855c-ghk9m'
  await scanAll(service, [
    {
      rows: [row(`pod/${name}`), row('pod/api-65cc8855c-ghk9m')],
      runs: [
        { kind: 'Deployment', name: 'web', pods: [name] },
        { kind: 'Deployment', name: 'api', pods: ['api-65cc8855c-ghk9m'] },
      ],
    },
    {
      rows: [],
      runs: [
        { kind: 'Deployment', name: 'web' },
        { kind: 'Deployment', name: 'api', pods: ['api-65cc8855c-abcde'] },
      ],
    },
  ])
  expect(await compare(service)).toEqual({ ...none, atRest: 1, resolved: 1 })
})

test.each([
  ['the same', 'a', 'a', { firstSeen: 1 }],
  ['another', 'a', 'b', { new: 1 }],
])('pods of a CronJob that had none before, by %s template', async (_, before, after, expected) => {
  const service = await openCatalogService()
  await scanAll(service, [
    { rows: [other], runs: [{ ...noon, specDigest: before }] },
    { rows: [row(`pod/${pod}`), other], runs: [{ ...nightly, specDigest: after }] },
  ])
  expect(await compare(service)).toEqual({ ...none, ...expected })
})
