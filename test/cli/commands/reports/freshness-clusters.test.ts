import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { makePrograms } from '../../../helpers/programs.ts'
import { exampleFile, readReportFile } from '../../../helpers/report.ts'
import { wholeCluster, writeCluster } from '../../../scan/cluster.ts'

const profile = (name: string, more: object = {}) => ({
  metadata: {
    name,
    namespace: 'fleet',
    labels: { 'x-k8s.io/cluster-manager': 'ocm', 'multicluster.x-k8s.io/clusterset': 'all', env: 'prod' },
  },
  spec: { displayName: `${name}-eu`, clusterManager: { name: 'ocm' } },
  ...more,
})

async function scan(lists: Record<string, unknown[]>) {
  const home = temporaryFolder()
  const report = join(home, 'scanned.json')
  const { metadata, checks } = readReportFile(exampleFile(1))
  writeFileSync(report, JSON.stringify({ metadata, checks }))
  writeCluster(join(home, 'cluster'), wholeCluster(lists))
  const { env } = makePrograms(home, ['kubebuddy', 'kubectl'], { FAKE_REPORT: report })
  const run = (argv: string) => runCli(argv.split(' '), { home, env })
  await run('scan run --cluster hub')
  return run
}

test('the clusters that a hub names are shown with their labels and versions', async () => {
  const status = {
    version: { kubernetes: 'v1.33.2' },
    conditions: [{ type: 'ControlPlaneHealthy', status: 'False' }],
  }
  const run = await scan({
    'clusterprofiles.multicluster.x-k8s.io': [profile('shop', { status }), profile('new'), { metadata: {} }],
  })
  const { stdout } = await run('reports freshness --clusters')
  expect(stdout).toMatch(/shop-eu +v1\.33\.2 +unhealthy +ocm +env=prod/)
  expect(stdout).toMatch(/new-eu +not known +not known +ocm +env=prod/)
  const { cluster_profiles } = JSON.parse((await run('reports freshness --clusters --json')).stdout)
  expect(cluster_profiles[0]).toEqual({
    ...{ namespace: 'fleet', name: 'shop', display_name: 'shop-eu', manager: 'ocm', kubernetes_version: 'v1.33.2' },
    ...{ is_healthy: false, labels: ['env=prod'] },
  })
})

test('a cluster without ClusterProfiles is no hub', async () => {
  const run = await scan({})
  expect((await run('reports freshness --clusters')).stderr).toContain('its cluster is no hub of a fleet')
})
