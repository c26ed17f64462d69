import { expect, test } from 'vitest'
import { compareEnvironments } from '../../../src/upgrade/fleet.ts'
import { openCatalogService } from '../service.ts'

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
  const clustersOf = (slug: string, hop: string, from?: string) =>
    fleet.steps
      .filter((step) => step.project_slug === slug && step.hop === hop && (from === undefined || step.from === from))
      .map(({ kind, from, to, clusters }) => [kind, from, to, clusters.map(({ cluster_name }) => cluster_name)])
  expect(clustersOf('keda', '1.34')).toEqual([['part', '2.18.3', '2.20.2', ['b', 'a']]])
  expect(clustersOf('keda', '1.35')).toEqual([['part', '2.19.0', '2.20.2', ['c']]])
  expect(clustersOf('kubernetes', '1.34').map(([kind, , , clusters]) => [kind, clusters])).toEqual([
    ['kubernetes', ['b', 'a', 'c']],
    ['nodes', ['b', 'a', 'c']],
  ])
  expect(fleet.steps.map(({ number }) => number)).toEqual(fleet.steps.map((_, index) => index + 1))
  const first = await service.call('getFleetUpgrade', { query: { to: '1.35', environments: 'prod,staging' } })
  expect(first.clusters.map(({ cluster_name }) => cluster_name)).toEqual(['a', 'c', 'b'])
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
