import { expect, test } from 'vitest'
import { invoke } from '../../../src/service/invoke.ts'
import { compareEnvironments } from '../../../src/upgrade/fleet.ts'
import { plainText } from '../../../src/views/said.ts'
import { fleetStepLines } from '../../../src/views/upgrade-fleet.ts'
import { now as clock, openCatalogService } from '../service.ts'

const report = (clusterName: string, keda: string, kubernetesVersion = 'v1.33.4') => ({
  metadata: { kubernetesVersion, clusterName },
  artifacts: {
    images: [
      {
        ...{ fullRef: `ghcr.io/kedacore/keda:${keda}`, namespace: 'keda' },
        ...{ workloadKind: 'Deployment', workloadName: 'keda' },
      },
    ],
    helmCharts: [],
  },
  checks: {},
})

test('a fleet has each step once, with its clusters, staging before production', async () => {
  const service = await openCatalogService()
  const places = [
    ['a', 'prod', '2.18.3'],
    ['b', 'staging', '2.18.3'],
    ['c', 'prod', '2.19.0'],
  ] as const
  for (const [name, environment, keda] of places) {
    await service.upload([], { report: report(name, keda), body: { cluster: { name }, environment } })
  }
  const fleet = await service.call('getFleetUpgrade', { query: { to: '1.35' } })
  expect(fleet.summary).toEqual({ clusters: 3, ready: 0, warnings: 3, blocked: 0, undetermined: 0 })
  expect(fleet.clusters.map(({ cluster_name }) => cluster_name)).toEqual(['b', 'a', 'c'])
  const clustersFor = (slug: string, hop: string, from?: string) =>
    fleet.steps
      .filter((step) => step.project_slug === slug && step.hop === hop && (from === undefined || step.from === from))
      .map(({ kind, from, to, clusters }) => [kind, from, to, clusters.map(({ cluster_name }) => cluster_name)])
  expect(clustersFor('keda', '1.34')).toEqual([['part', '2.18.3', '2.20.2', ['b', 'a']]])
  expect(clustersFor('keda', '1.35')).toEqual([['part', '2.19.0', '2.20.2', ['c']]])
  expect(clustersFor('kubernetes', '1.34').map(([kind, , , clusters]) => [kind, clusters])).toEqual([
    ['kubernetes', ['b', 'a', 'c']],
    ['nodes', ['b', 'a', 'c']],
  ])
  expect(fleet.steps.map(({ number }) => number)).toEqual(fleet.steps.map((_, index) => index + 1))
  const first = await service.call('getFleetUpgrade', { query: { to: '1.35', environments: 'prod,staging' } })
  expect(first.clusters.map(({ cluster_name }) => cluster_name)).toEqual(['a', 'c', 'b'])
})

test('a step that clusters need at different hops is listed once, where the first needs it', async () => {
  const service = await openCatalogService()
  for (const [name, kubernetes] of [
    ['a', 'v1.34.1'],
    ['b', 'v1.33.4'],
  ] as const) {
    await service.upload([], { report: report(name, '2.18.3', kubernetes), body: { cluster: { name } } })
  }
  const { steps } = await service.call('getFleetUpgrade', { query: { to: '1.35' } })
  const [keda, ...others] = steps.filter(({ project_slug }) => project_slug === 'keda')
  expect(others).toEqual([])
  expect(keda).toMatchObject({ number: 1, hop: '1.34', when: 'before', from: '2.18.3', to: '2.20.2' })
  expect(keda!.why).toContainEqual(expect.stringContaining('KEDA 2.18'))
  expect(keda!.clusters.map(({ cluster_name, hop, when }) => [cluster_name, hop, when])).toEqual([
    ['a', '1.35', 'before'],
    ['b', '1.34', 'before'],
  ])
  const [, where] = fleetStepLines(keda!).map(plainText)
  expect(where).toMatch(/^2 clusters: a\/\w+ \(before Kubernetes 1\.35\), b\/\w+$/)
})

test('the order of environments is by default that of the server', async () => {
  const { db, vault, user, plans, upload } = await openCatalogService()
  for (const environment of ['staging', 'prod']) {
    await upload([], { report: report('a', '2.18.3'), body: { cluster: { name: 'a' }, environment } })
  }
  const orderOf = async (environments: string | undefined, asked?: string) => {
    const service = { db, plans, environments, vault: async () => vault, now: () => clock }
    const query = { to: '1.34', ...(asked && { environments: asked }) }
    const answer = JSON.parse(JSON.stringify(await invoke(service, 'getFleetUpgrade', { user, query })))
    return answer.clusters.map(({ environment }: { environment: string }) => environment)
  }
  expect(await orderOf(undefined)).toEqual(['staging', 'prod'])
  expect(await orderOf('prod, staging')).toEqual(['prod', 'staging'])
  expect(await orderOf('prod,staging', 'staging')).toEqual(['staging', 'prod'])
})

test('a scan that knows no Kubernetes takes it, and the nodes, from the other scanner of the cluster', async () => {
  const service = await openCatalogService()
  const of = { name: 'a' }
  const nodes = [{ name: 'n1', kubeletVersion: 'v1.30.4' }]
  const known = { ...report('a', '2.18.3'), artifacts: {} }
  const images = Array.from({ length: 3 }, (_, index) => ({
    ...{
      ArtifactName: `ghcr.io/kedacore/keda:2.18.${index}`,
      ArtifactType: 'container_image',
      SchemaVersion: 2,
      Results: [],
    },
  }))
  await service.upload([], { report: known, body: { cluster: of, artifacts: { nodes } } })
  for (const image of images) await service.upload([], { report: image, body: { cluster: of } })
  const plan = await service.call('getUpgradePlan', { query: { cluster_name: 'a', to: '1.34' } })
  expect(plan.kubernetes).toBe('v1.33.4')
  expect(plan.parts.map(({ project_slug }) => project_slug)).toEqual(['keda'])
  expect(plan.steps.filter(({ kind }) => kind === 'nodes').map(({ when, from, to }) => [when, from, to])).toEqual([
    ['before', '1.30', '1.33'],
    ['nodes', '1.33', '1.34'],
  ])
  const fleet = await service.call('getFleetUpgrade', { query: { to: '1.34' } })
  expect(fleet.clusters.map(({ kubernetes, verdict }) => [kubernetes, verdict])).toEqual([['v1.33.4', plan.verdict]])
})

test('environments go by the order given, else by what their names say', () => {
  const all = ['production', 'eu', 'pre-prod', 'staging', 'test', 'dev']
  expect(all.toSorted(compareEnvironments([]))).toEqual(['dev', 'test', 'pre-prod', 'staging', 'eu', 'production'])
  expect(all.toSorted(compareEnvironments(['eu', 'dev'])).slice(0, 2)).toEqual(['eu', 'dev'])
  expect(all.toSorted(compareEnvironments(['Production']))[0]).toBe('production')
})

test('only whole words of an environment say something', () => {
  const rising = ['team1_dev', 'qa2', 'ourUAT', 'non-prod', 'live']
  // With letters of `ci`, `int`, `live`, `dev`, `prod` and `test` inside.
  const silent = ['principal', 'delivery', 'devices', 'products', 'latest', 'social', 'point-of-sale']
  const compare = compareEnvironments([])
  expect([...silent, ...rising].toSorted(compare)).toEqual([
    ...['team1_dev', 'qa2', 'ourUAT'],
    ...[...silent, 'non-prod'].sort(),
    'live',
  ])
})
