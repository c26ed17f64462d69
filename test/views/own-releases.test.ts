import { expect, test } from 'vitest'
import type { Freshness } from '../../src/contract/freshness.ts'
import { runsOlder } from '../../src/delivery/runs-older.ts'
import { findRunningFor } from '../../src/operations/fleet/running-of-owners.ts'
import { bundledProjects } from '../helpers/bundled-catalog.ts'
import { openCatalogService, type TestService } from '../operations/service.ts'
import { scan } from '../reports/scan.ts'
import { Media } from './every-medium.ts'

async function openCluster(kubernetesVersion: string) {
  const service = await openCatalogService()
  const report = scan([], { cluster: 'shop' })
  Object.assign(report.metadata, { kubernetesVersion })
  const { run_id } = await service.upload([], { report })
  return { service, media: new Media(service, run_id), run_id }
}

async function mediaOf({ service, media, run_id }: Awaited<ReturnType<typeof openCluster>>, version: string) {
  const { call } = service
  const freshness = (await call('reportFreshness', { params: { run_id } })) as Freshness
  const product_id = freshness.items[0]!.source_product_id!
  const { said, answer } = await media.assistant()
  const json = async (answer: Promise<unknown>) => JSON.stringify(await answer)
  return {
    freshness: JSON.stringify(freshness),
    versions: JSON.stringify((await call('listClusterVersions', { query: { product_id } })).items),
    plan: await json(call('getUpgradePlan', { query: { cluster_name: 'shop', to: 'latest' } })),
    check: await json(call('checkUpgrade', { body: { kubernetes: version, to: 'latest', parts: [] } })),
    path: await json(call('getUpgradePath', { query: { project: 'kubernetes', version } })),
    table: await media.cli('reports', 'freshness', run_id),
    csv: await media.cli('reports', 'freshness', run_id, '--output', 'csv'),
    versionTable: await media.cli('clusters', 'versions', 'kubernetes', '--output', 'csv'),
    planTable: await media.cli('upgrade', 'plan', '--cluster', 'shop', '--to', 'latest'),
    status: await media.cli('status'),
    clusters: await media.cli('status', '--all', '--output', 'wide'),
    report: await media.report(),
    page: await media.page('/runs/{run_id}/freshness'),
    said,
    answer,
    ...(await media.pipeline(freshness)),
  }
}

const naming = ['freshness', 'versions', 'plan', 'check', 'path', 'table', 'csv', 'versionTable', 'planTable']

/** Versions of Kubernetes with a patch, each once. */
const versionsIn = (text: string) => [
  ...new Set(
    [
      ...text
        .replaceAll('<wbr>', '')
        .replaceAll(/&#43;|%2B/g, '+')
        .matchAll(/(?<![\d.])v?(1\.3[3-9]\.\d+(?:\+[a-z0-9]+(?:\.\d+)?)?)/g),
    ].map(([, version]) => version!),
  ),
]

const releasesOf = (slug: string): Set<string> =>
  new Set(
    bundledProjects()
      .find((project) => project.slug === slug)!
      .releases.map(({ version }) => version.replace(/^v/, '')),
  )

test.each([
  ['k3s', 'v1.33.4+k3s1'],
  ['k0s', 'v1.34.1+k0s.0'],
])('every medium names releases of %s alone to a cluster that runs it', async (distribution, version) => {
  const cluster = await openCluster(version)
  const texts = await mediaOf(cluster, version)
  const own = releasesOf(distribution)
  const foreign = Object.entries(texts).flatMap(([medium, text]) =>
    versionsIn(text).flatMap((named) => (own.has(named) || `v${named}` === version ? [] : `${medium}: ${named}`)),
  )
  expect(foreign).toEqual([])
  const silent = naming.filter((medium) => versionsIn(texts[medium as keyof typeof texts]).length < 2)
  expect(silent).toEqual([])
})

/** A release by its project and version, as the catalog has it. */
async function releaseOf({ db }: TestService, slug: string, version: string) {
  const query = db.selectFrom('release').innerJoin('project', 'project.id', 'release.project_id')
  const found = query.where('slug', '=', slug).where('version', '=', version)
  return found.select(['release.id', 'project_id as projectId']).executeTakeFirstOrThrow()
}

test('a release of Kubernetes concerns no cluster of a distribution, whose own releases do', async () => {
  const { service } = await openCluster('v1.33.4+k3s1')
  const { db, vault, user, clock } = service
  const concerned = []
  for (const [slug, version] of [
    ['kubernetes', 'v1.34.11'],
    ['k3s', 'v1.34.3+k3s1'],
    ['k0s', 'v1.34.3+k0s.0'],
  ] as const) {
    const { id, projectId } = await releaseOf(service, slug, version)
    const impact = await service.call('getImpact', { query: { release_id: id } })
    const running = await findRunningFor(
      { db, vault: async () => vault },
      { ownerIds: [user.id], projectIds: [projectId] },
      clock.now,
    )
    const about = { id: 1, at: clock.now, ownerId: null, projectId, cluster: null }
    const event = { ...about, type: 'release.published' as const, data: { version, releaseType: 'app' as const } }
    const told = runsOlder(event, { ownerIds: new Set([user.id]) }, running)
    concerned.push([slug, impact.items.map(({ display_name }) => display_name), told.map(({ cluster }) => cluster)])
  }
  expect(concerned).toEqual([
    ['kubernetes', [], []],
    ['k3s', ['Kubernetes v1.33.4+k3s1'], ['shop']],
    ['k0s', [], []],
  ])
  const feed = await service.call('getFeed', { query: { mine: true, days: 365 } })
  const named = feed.releases.map(({ version }) => version)
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((version) => !version.includes('+k3s'))).toEqual([])
})

test('the end of a line of Kubernetes is announced once to a cluster of a distribution', async () => {
  const { service } = await openCluster('v1.33.4+k3s1')
  const { db, vault, user, clock } = service
  const told = []
  for (const [slug, version] of [
    ['kubernetes', 'v1.33.4'],
    ['k3s', 'v1.33.4+k3s1'],
  ] as const) {
    const { projectId } = await releaseOf(service, slug, version)
    const wanted = { ownerIds: [user.id], projectIds: [projectId] }
    const running = await findRunningFor({ db, vault: async () => vault }, wanted, clock.now)
    const about = { id: 1, at: clock.now, ownerId: null, projectId, cluster: null }
    const event = { ...about, type: 'support.ends' as const, data: { line: '1.33' } }
    told.push(runsOlder(event, { ownerIds: new Set([user.id]) }, running).map(({ cluster }) => cluster))
  }
  expect(told).toEqual([['shop'], []])
})

test.each([
  ['GKE', 'v1.33.4-gke.1172000'],
  ['EKS', 'v1.34.1-eks-abc123'],
])(
  'every medium with the reasons of a step says that the catalog does not list the patches of %s',
  async (name, version) => {
    const texts = await mediaOf(await openCluster(version), version)
    const note = `is a release of Kubernetes; ${name} publishes patches of its own, which the catalog does not list.`
    const bare = (text: string) => text.replaceAll('<wbr>', '').replaceAll(/\s+/g, ' ')
    const silent = ['freshness', 'plan', 'path', 'report', 'answer'].filter(
      (medium) => !bare(texts[medium as keyof typeof texts]!).includes(note),
    )
    expect(silent).toEqual([])
  },
)

test('a plan to a minor version that a distribution lacks says so, and names no release', async () => {
  const { service } = await openCluster('v1.34.1+k3s1')
  const { projectId } = await releaseOf(service, 'kubernetes', 'v1.36.4')
  const body = { product_id: projectId, version: 'v1.37.0', type: 'app' as const, published_at: '2026-08-30 00:00:00' }
  await service.call('addRelease', { body })
  const plan = (to: string) => service.call('getUpgradePlan', { query: { cluster_name: 'shop', to } })
  expect((await plan('latest')).to).toBe('1.36')
  const { hops, reasons } = await plan('1.37')
  expect(hops.map(({ version }) => version)).toEqual([
    expect.stringMatching(/\+k3s/),
    expect.stringMatching(/\+k3s/),
    null,
  ])
  expect(reasons.map(({ says }) => says)).toContain('The catalog knows no release of K3s with Kubernetes 1.37.')
})
