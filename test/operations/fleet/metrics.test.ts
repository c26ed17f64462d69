import { expect, test } from 'vitest'
import { readPlans } from '../../../src/config/plans.ts'
import { importFacts } from '../../../src/operations/catalog/own-facts.ts'
import { measureFleet } from '../../../src/operations/fleet/metrics.ts'
import { refreshClusters } from '../../../src/operations/fleet/refresh.ts'
import { invoke } from '../../../src/service/invoke.ts'
import { findOwner } from '../../../src/store/accounts/owner.ts'
import { openCatalogService, openService, type TestService } from '../service.ts'

const report = (kubernetesVersion: string, version: string, repository = 'ghcr.io/kedacore/keda') => ({
  metadata: { kubernetesVersion },
  artifacts: {
    images: [
      {
        ...{ fullRef: `${repository}:${version}`, namespace: 'keda' },
        ...{ workloadKind: 'Deployment', workloadName: 'keda' },
      },
    ],
    helmCharts: [],
  },
  checks: {},
})

const upload = (service: TestService, name: string, uploaded: unknown) =>
  service.upload([], { report: uploaded, body: { cluster: { name } } })

test('blockers of the next upgrade are those that its plan names, and absent where it is undetermined', async () => {
  const service = await openCatalogService()
  const range = { slug: 'keda', line: '2.20', kind: 'supported', kubernetes_min: '1.33', kubernetes_max: '1.35' }
  const compatibility = [{ ...range, source: 'https://wiki.example/keda', as_of: '2026-08-20' }]
  await importFacts(service.db, Buffer.from(JSON.stringify({ compatibility })), 0)
  await upload(service, 'blocked', report('v1.35.2', '2.20.0'))
  await upload(service, 'free', report('v1.33.4', '2.18.3'))
  await upload(service, 'undetermined', report('v1.33.4', '2.99.0'))
  await upload(service, 'unversioned', report('next week', '2.18.3'))
  await upload(service, 'newest', report('v1.36.1', '2.18.3', 'registry.example/shop/cart'))
  const { items } = await service.call('getClusterMetrics')
  const blockers = items.map(({ cluster_name, running }) => [cluster_name, running?.upgrade_blockers])
  expect(blockers).toEqual([
    ['blocked', { target: '1.36', count: 1 }],
    ['free', { target: '1.34', count: 0 }],
    // Nothing is known of 1.37, which is not out.
    ['newest', undefined],
    ['undetermined', undefined],
    ['unversioned', undefined],
  ])
  const plans = await service.call('getFleetUpgrade')
  expect(plans.clusters.map(({ cluster_name, verdict, to }) => [cluster_name, verdict, to])).toEqual([
    ['blocked', 'blocked', '1.36'],
    ['free', 'warnings', '1.34'],
    ['newest', 'warnings', '1.37'],
    ['undetermined', 'undetermined', '1.34'],
    // Against the newest Kubernetes, which may not be the next one: nothing blocks a way that is unknown.
    ['unversioned', 'undetermined', '1.36'],
  ])
})

test('a scanner has one figure each, whatever number of images it scanned', async () => {
  const { call, upload } = await openService()
  const image = (name: string, ids: string[]) => ({
    ...{ SchemaVersion: 2, ArtifactName: name, ArtifactType: 'container_image' },
    Results: [
      {
        ...{ Target: name, Class: 'os-pkgs', Type: 'debian' },
        Vulnerabilities: ids.map((id) => ({ VulnerabilityID: id, PkgName: 'openssl', Severity: 'HIGH', Title: 't' })),
      },
    ],
  })
  for (const report of [image('shop/a:1', ['CVE-1']), image('shop/b:1', ['CVE-2', 'CVE-3']), image('shop/a:2', [])]) {
    await upload([], { report, body: { cluster: { name: 'c' } } })
  }
  const { items } = await call('getClusterMetrics')
  expect(items[0]!.scanners).toMatchObject([
    { format: 'trivy', score: null, findings: { high: 2 }, changes: { new: { high: 2 }, resolved: { high: 0 } } },
  ])
})

/** The statements that a scrape of a server runs. */
async function scrape({ db, vault, clock, user }: TestService) {
  const statements: string[] = []
  const counted = db.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const service = { db: counted, vault: async () => vault, plans: readPlans({}), now: () => clock.now }
  const answer = await invoke({ ...service, keepsFigures: true }, 'getClusterMetrics', { user })
  return { answer, statements }
}

test('a scrape makes no figures, and as many queries for many clusters as for one', async () => {
  const service = await openCatalogService()
  await upload(service, 'first', report('v1.33.4', '2.18.3'))
  const { answer } = await scrape(service)
  expect(answer.items).toMatchObject([{ cluster_name: 'first', running: null, scanners: [{ changes: null }] }])
  expect(await service.db.selectFrom('cluster_summary').selectAll().execute()).toEqual([])

  await refreshClusters(service.db, { vault: async () => service.vault, now: service.clock.now })
  const one = await scrape(service)
  for (let i = 0; i < 5; i++) await upload(service, `other-${i}`, report('v1.33.4', '2.18.3'))
  await refreshClusters(service.db, { vault: async () => service.vault, now: service.clock.now })
  const six = await scrape(service)
  expect(six.answer.items.map(({ running }) => running === null)).toEqual(Array(6).fill(false))
  expect(six.statements).toEqual(one.statements)
  expect(six.statements.filter((kind) => !['SelectQueryNode', 'RawNode'].includes(kind))).toEqual([])
})

test('a scrape opens a bounded number of runs for what exceptions accept, and later ones know it', async () => {
  const service = await openCatalogService()
  for (const cluster of ['a', 'b', 'c']) await service.upload([{ severity: 'critical' }], { cluster })
  await service.call('createException', {
    body: { check: 'SEC001', all_clusters: true, reason: 'known', expires_on: '2027-01-01' },
  })
  const { db, vault, clock, user } = service
  const owner = await findOwner(db, user.id)
  const known = async (mayOpen: number) => {
    const asked = { ownerId: owner!.id, vault: async () => vault, now: clock.now, mayOpen }
    const { items } = await measureFleet(db, asked)
    return items.map(({ scanners }) => scanners[0]?.accepted?.critical ?? null)
  }
  expect(await known(1)).toEqual([1, null, null])
  expect(await known(1)).toEqual([1, 1, null])
  expect(await known(1)).toEqual([1, 1, 1])
  expect(await known(0)).toEqual([1, 1, 1])
})
