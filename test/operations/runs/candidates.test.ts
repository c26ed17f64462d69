import { expect, test } from 'vitest'
import { day, openCatalogService, type TestService } from '../service.ts'

const image = (reference: string, ids: string[], more: object = {}) => ({
  ...{ SchemaVersion: 2, ArtifactName: reference, ArtifactType: 'container_image' },
  Metadata: { OS: { Family: 'debian', Name: '12' }, ...more },
  Results: [
    {
      ...{ Target: `${reference} (debian 12)`, Class: 'os-pkgs', Type: 'debian' },
      Vulnerabilities: ids.map((VulnerabilityID) => ({
        ...{ VulnerabilityID, PkgName: 'openssl', Severity: 'CRITICAL', Title: 't' },
      })),
    },
  ],
})

interface Sent {
  report?: object
  ci?: Record<string, string>
  state_branch?: string
  /** References of images that run, for an inventory. */
  runs?: string[]
}

/** Sends reports a day apart; returns their ids. */
async function sendAll({ upload, clock }: TestService, reports: Sent[]): Promise<string[]> {
  const ids: string[] = []
  clock.now += reports.length * day
  for (const [i, { report, runs, ...more }] of reports.entries()) {
    const run = { finished_at: new Date((clock.now - (reports.length - i - 1) * day) * 1000).toISOString() }
    const images = runs?.map((fullRef) => ({
      fullRef,
      namespace: 'shop',
      workloadKind: 'Deployment',
      workloadName: 'app',
    }))
    const body = { cluster: { name: 'c' }, run, ...(images && { artifacts: { images, owners: [] } }), ...more }
    ids.push((await upload([], { body, ...(report && { report }) })).run_id)
  }
  return ids
}

const query = { cluster_name: 'c' }
const openChecks = async ({ call }: TestService) =>
  (await call('listFindings', { query })).items.map(({ check_id }) => check_id).sort()

const main = { branch: 'main', provider: 'github-actions' }
const request = { branch: 'main', pull_request: '12', target_branch: 'main', provider: 'github-actions' }

test('a pull request of a fork, whose branch is called main, is judged and never the state', async () => {
  const service = await openCatalogService()
  const { call } = service
  const [first, asked] = await sendAll(service, [
    { report: image('shop/a:1', ['CVE-1']), ci: main },
    { report: image('shop/a:pr', ['CVE-2']), ci: request },
  ])
  expect(await openChecks(service)).toEqual(['CVE-1'])
  expect(await call('compareReports', { query: { to_run_id: asked } })).toMatchObject({
    from: { run_id: first },
    to: { is_candidate: true },
    new_findings: [{ check_id: 'CVE-2' }],
    resolved_findings: [{ check_id: 'CVE-1' }],
  })
  const { points } = (await call('reportTrends', { query })) as { points: { run_id: string }[] }
  expect(points.map(({ run_id }) => run_id)).toEqual([first])
  expect((await call('listClusters', { query: {} })).items[0]).toMatchObject({ latest_run: { run_id: first } })
  // What is merged is new then, although the request had it.
  await sendAll(service, [{ report: image('shop/a:2', ['CVE-1', 'CVE-2']), ci: main }])
  expect(await call('compareReports', { query })).toMatchObject({
    new_findings: [{ check_id: 'CVE-2' }],
    regressed_findings: [],
  })
})

test('the report of a pull request again, after the merge, is the state', async () => {
  const service = await openCatalogService()
  const { clock, upload } = service
  const report = { ...image('shop/a:1', ['CVE-1']), CreatedAt: new Date(clock.now * 1000).toISOString() }
  const send = (ci: object) => upload([], { report, body: { cluster: { name: 'c' }, ci } })
  const { run_id } = await send(request)
  expect(await send(request)).toMatchObject({ run_id, duplicate: true })
  const merged = await send(main)
  expect(merged.run_id).not.toBe(run_id)
  expect(await send(main)).toMatchObject({ run_id: merged.run_id, duplicate: true })
  expect(await openChecks(service)).toEqual(['CVE-1'])
})

test('a pull request alone is no state of a cluster', async () => {
  const service = await openCatalogService()
  await sendAll(service, [{ report: image('shop/a:pr', ['CVE-2']), ci: request }])
  await expect(openChecks(service)).rejects.toMatchObject({ code: 'not_found' })
  await expect(service.call('compareReports', { query })).rejects.toMatchObject({ code: 'not_found' })
})

test('other branches are judged; a tag, and a run without a branch, are the state', async () => {
  const service = await openCatalogService()
  await sendAll(service, [
    { report: image('shop/a:1', ['CVE-1']), ci: main },
    { report: image('shop/a:f', ['CVE-2']), ci: { branch: 'feature' } },
  ])
  expect(await openChecks(service)).toEqual(['CVE-1'])
  await sendAll(service, [{ report: image('shop/a:v2', ['CVE-3']), ci: { provider: 'github-actions' } }])
  expect(await openChecks(service)).toEqual(['CVE-3'])
  await sendAll(service, [{ report: image('shop/a:dev', ['CVE-4']) }])
  expect(await openChecks(service)).toEqual(['CVE-4'])
})

test('the branch of a policy wins over that of the first run', async () => {
  const service = await openCatalogService()
  await sendAll(service, [
    { report: image('shop/a:1', ['CVE-1']), ci: { branch: 'feature' } },
    { report: image('shop/a:2', ['CVE-2']), ci: main, state_branch: 'main' },
    { report: image('shop/a:3', ['CVE-3']), ci: { branch: 'feature' } },
  ])
  expect(await openChecks(service)).toEqual(['CVE-2'])
})

test('a live cluster is its own state, whichever branch scans it', async () => {
  const service = await openCatalogService()
  const { upload } = service
  await upload([{ resource: 'deployment/a' }], { body: { cluster: { name: 'c' }, ci: main } })
  service.clock.now += day
  const { run_id } = await upload([{ resource: 'deployment/b' }], {
    body: { cluster: { name: 'c' }, ci: { branch: 'release-1' } },
  })
  expect((await service.call('listClusters', { query: {} })).items[0]).toMatchObject({ latest_run: { run_id } })
})

test('a roll-out that failed: the version that runs is the state', async () => {
  const service = await openCatalogService()
  const [, , second] = await sendAll(service, [
    { runs: ['registry.example/shop/app:1'] },
    { report: image('registry.example/shop/app:1', ['CVE-1']) },
    { report: image('registry.example/shop/app:2', ['CVE-2']) },
  ])
  expect(await openChecks(service)).toEqual(['CVE-1'])
  expect(await service.call('getReport', { params: { run_id: second! } })).toMatchObject({ is_candidate: true })
  // Rolled out at last.
  await sendAll(service, [{ runs: ['registry.example/shop/app:2'] }])
  expect(await openChecks(service)).toEqual(['CVE-2'])
  // And rolled back.
  await sendAll(service, [{ runs: ['registry.example/shop/app:1'] }])
  expect(await openChecks(service)).toEqual(['CVE-1'])
})

test('a candidate has its own findings, and none of the version that runs', async () => {
  const service = await openCatalogService()
  const { call } = service
  const [, , second] = await sendAll(service, [
    { report: image('shop/app:1', ['CVE-1']) },
    { runs: ['shop/app:1'] },
    { report: image('shop/app:2', []) },
  ])
  expect(await call('getReport', { params: { run_id: second! } })).toMatchObject({ findings: { total: 0 } })
  expect(await call('compareReports', { query: { to_run_id: second } })).toMatchObject({
    resolved_findings: [{ check_id: 'CVE-1' }],
  })
  expect(await openChecks(service)).toEqual(['CVE-1'])
})

test('two versions run: a finding is open while one of them has it, and new only if none had it', async () => {
  const service = await openCatalogService()
  const { call } = service
  await sendAll(service, [
    { report: image('shop/app:1', ['CVE-1', 'CVE-2']) },
    { runs: ['shop/app:1', 'shop/app:2'] },
    { report: image('shop/app:2', ['CVE-2', 'CVE-3']) },
  ])
  expect(await openChecks(service)).toEqual(['CVE-1', 'CVE-2', 'CVE-3'])
  const listed = (await call('listReports', { query })).items.filter(({ format }) => format === 'trivy')
  expect(await call('compareReports', { query: { to_run_id: listed[0]!.run_id } })).toMatchObject({
    new_findings: [{ check_id: 'CVE-3' }],
    resolved_findings: [],
  })
  await sendAll(service, [{ report: image('shop/app:1', ['CVE-2']) }])
  expect(await openChecks(service)).toEqual(['CVE-2', 'CVE-3'])
  // The other version ends with the roll-out.
  await sendAll(service, [{ runs: ['shop/app:1'] }])
  expect(await openChecks(service)).toEqual(['CVE-2'])
})

test('an image behind a mirror, and one known by its digest alone, are the state as they are scanned', async () => {
  const service = await openCatalogService()
  const digest = `sha256:${'1'.repeat(64)}`
  await sendAll(service, [
    { runs: ['mirror.example/shop/app:1', `shop/api@${digest}`] },
    { report: image('shop/app:2', ['CVE-1']) },
    { report: image('shop/api:2', ['CVE-2']) },
  ])
  expect(await openChecks(service)).toEqual(['CVE-1', 'CVE-2'])
  await sendAll(service, [
    { report: image('shop/api:3', ['CVE-3'], { RepoDigests: [`shop/api@sha256:${'2'.repeat(64)}`] }) },
  ])
  expect(await openChecks(service)).toEqual(['CVE-1', 'CVE-2'])
})

const listed = (fullRef: string, namespace: string) => ({
  fullRef,
  namespace,
  workloadKind: 'Deployment',
  workloadName: 'app',
})

/** Uploads an inventory; returns its warnings. */
async function inventory({ upload, clock }: TestService, images: object[], more: object = {}) {
  clock.now += day
  const artifacts = { images, owners: [], ...more }
  const run = { finished_at: new Date(clock.now * 1000).toISOString() }
  return (await upload([], { body: { cluster: { name: 'c' }, run, artifacts } })).warnings ?? []
}

test('an image taken out of service ends, is not resolved, and has its history when it is back', async () => {
  const service = await openCatalogService()
  const { call } = service
  await inventory(service, [listed('shop/db:1', 'data'), listed('shop/app:1', 'shop')])
  const [run_id] = await sendAll(service, [{ report: image('shop/db:1', ['CVE-1']) }])
  expect(await inventory(service, [listed('shop/app:1', 'shop')])).toEqual([
    'Ended: trivy shop/db debian, 1 finding, 1 critical. It no longer runs.',
  ])
  expect(await openChecks(service)).toEqual([])
  expect(await call('getReport', { params: { run_id: run_id! } })).toMatchObject({
    subject: 'shop/db debian',
    ended: { ended_by: null },
  })
  // It is said once.
  expect(await inventory(service, [listed('shop/app:2', 'shop')])).toEqual([])
  await sendAll(service, [{ report: image('shop/db:1', ['CVE-1', 'CVE-2']) }])
  expect(await openChecks(service)).toEqual(['CVE-1', 'CVE-2'])
  const [latest] = (await call('listReports', { query: { cluster_name: 'c' } })).items
  expect(await call('compareReports', { query: { to_run_id: latest!.run_id } })).toMatchObject({
    new_findings: [{ check_id: 'CVE-2' }],
    unchanged_findings_count: 1,
  })
})

test.each<[string, object[], object]>([
  ['never listed it', [listed('mirror.example/shop/db:1', 'data')], {}],
  ['could not read all', [listed('shop/db:1', 'data')], { gaps: ['pods: forbidden'] }],
])('an image stays after an inventory that %s', async (_, before, more) => {
  const service = await openCatalogService()
  await inventory(service, before)
  await sendAll(service, [{ report: image('shop/db:1', ['CVE-1']) }])
  expect(await inventory(service, [listed('shop/app:1', 'shop')], more)).toEqual([])
  expect(await openChecks(service)).toEqual(['CVE-1'])
})

test('an image of a CronJob stays while no job runs, unless the inventory lists templates', async () => {
  const service = await openCatalogService()
  const job = { ...listed('shop/backup:1', 'shop'), workloadKind: 'CronJob', workloadName: 'backup' }
  const app = listed('shop/app:1', 'shop')
  await inventory(service, [job, app])
  await sendAll(service, [{ report: image('shop/backup:1', ['CVE-1']) }])
  expect(await inventory(service, [app], { owners: undefined })).toEqual([])
  expect(await openChecks(service)).toEqual(['CVE-1'])
  expect(await inventory(service, [app])).toHaveLength(1)
})

test('a user ends a subject by its latest run, and says why', async () => {
  const service = await openCatalogService()
  const { call } = service
  const [first, latest] = await sendAll(service, [
    { report: image('shop/db:1', ['CVE-1']) },
    { report: image('shop/db:2', ['CVE-2']) },
    { report: image('shop/app:1', ['CVE-3']) },
  ])
  const end = (run_id: string) => call('endSubject', { params: { run_id }, body: { reason: 'A service now' } })
  await expect(end(first!)).rejects.toMatchObject({ code: 'conflict', id: latest })
  // Figures are kept until something changes.
  await call('listClusters', { query: {} })
  expect(await end(latest!)).toMatchObject({ subject: 'shop/db debian', findings: { critical: 1 }, ended_by: 'local' })
  expect(await openChecks(service)).toEqual(['CVE-3'])
  const { items } = await call('listClusters', { query: {} })
  expect(items[0]!.scanners!.map(({ subject }) => subject)).toEqual(['shop/app debian'])
})
