import { expect, test } from 'vitest'
import { openCatalogService } from '../service.ts'

const image = (reference: string, ...found: string[]) => ({
  SchemaVersion: 2,
  ArtifactName: reference,
  ArtifactType: 'container_image',
  Results: [
    {
      ...{ Target: 'debian', Class: 'os-pkgs', Type: 'debian' },
      Vulnerabilities: found.map((one) => {
        const [VulnerabilityID, Severity = 'CRITICAL'] = one.split(' ')
        return { VulnerabilityID, Severity, PkgName: 'openssl', Title: 't' }
      }),
    },
  ],
})

const operator = (tag: string, ...found: string[]) => ({
  apiVersion: 'aquasecurity.github.io/v1alpha1',
  kind: 'VulnerabilityReport',
  metadata: { name: 'web', namespace: 'shop', labels: { 'trivy-operator.resource.name': 'web' } },
  report: {
    artifact: { repository: 'shop/web', tag },
    summary: { criticalCount: 0, highCount: 0, mediumCount: 0, lowCount: 0, unknownCount: found.length },
    vulnerabilities: found.map((one) => {
      const [vulnerabilityID, severity = 'CRITICAL'] = one.split(' ')
      return { vulnerabilityID, severity, resource: 'openssl' }
    }),
  },
})

/** How many critical findings stand in the cluster. */
async function countStanding(reports: object[], accepted?: string) {
  const { upload, call, clock } = await openCatalogService()
  for (const report of reports) {
    await upload([], { report, body: { cluster: { name: 'c' } } })
    clock.now += 60
  }
  if (accepted) {
    await call('createException', {
      body: { check: accepted, all_clusters: true, reason: 'Not reachable', expires_on: '2026-10-31' },
    })
  }
  return (await call('listClusters', { query: {} })).items[0]!.standing?.critical ?? 0
}

test.each<[string, object[], number]>([
  ['by two scans of one image counts once', [image('shop/web:1', 'CVE-1'), operator('1', 'CVE-1')], 1],
  [
    'counts by its highest severity',
    [image('docker.io/shop/web:1', 'CVE-1 HIGH', 'CVE-2'), operator('1', 'CVE-1', 'CVE-2 LOW')],
    2,
  ],
  ['of another tag counts by itself', [image('shop/web:2', 'CVE-1'), operator('1', 'CVE-1')], 2],
  ['of another image counts by itself', [image('shop/db:1', 'CVE-1'), operator('1', 'CVE-1')], 2],
])('a vulnerability told %s', async (_, reports, standing) => {
  expect(await countStanding(reports)).toBe(standing)
})

test('what one scan rates in several ways is not taken for what another one rates as critical', async () => {
  const { upload, call } = await openCatalogService()
  const both = (critical: string, others: string[], format: 'image' | 'folder') => ({
    ...image(`shop/${critical}:1`, 'CVE-1'),
    ClusterName: format,
    Resources: [critical, ...others].map((name) => ({
      ...{ Namespace: format, Kind: 'Deployment', Name: name, Metadata: [{ RepoTags: [`shop/${name}:1`] }] },
      Results: image(`shop/${name}:1`, name === critical ? 'CVE-1' : 'CVE-1 HIGH').Results,
    })),
    ...{ ArtifactName: undefined, ArtifactType: undefined, Results: undefined },
  })
  await upload([], { report: both('a', ['x', 'y', 'z'], 'image'), body: { cluster: { name: 'c' } } })
  await upload([], { report: both('b', ['x', 'y', 'z'], 'folder'), body: { cluster: { name: 'c' }, subject: 'other' } })
  const { items } = await call('listClusters', { query: {} })
  expect(items[0]!.standing?.critical).toBe(2)
})

test('what nobody accepted stands, also where what is told twice was accepted', async () => {
  expect(await countStanding([image('shop/web:1', 'CVE-1', 'CVE-2'), operator('1', 'CVE-1')], 'CVE-1')).toBe(1)
})
