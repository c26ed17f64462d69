import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { makePrograms } from '../../../helpers/programs.ts'
import { exampleFile, readReportFile } from '../../../helpers/report.ts'
import { pod, wholeCluster, writeCluster } from '../../../scan/cluster.ts'

const definition = (plural: string, group: string, metadata: Record<string, unknown> = {}) => ({
  metadata: { name: `${plural}.${group}`, ...metadata },
  spec: {
    ...{ group, names: { kind: plural, plural } },
    versions: [
      { name: 'v1', served: true, storage: true },
      { name: 'v1beta1', served: true, storage: false, deprecated: true },
    ],
  },
  status: { storedVersions: plural === 'issuers' ? ['v1beta1', 'v1'] : ['v1'] },
})

const cluster = {
  pods: [
    pod('cert-manager', ['quay.io/jetstack/cert-manager-controller:v1.15.3']),
    pod('operator', ['quay.io/prometheus-operator/prometheus-operator:v0.72.0']),
  ],
  'customresourcedefinitions.apiextensions.k8s.io': [
    definition('applications', 'argoproj.io'),
    definition('issuers', 'cert-manager.io', { labels: { 'app.kubernetes.io/version': 'v1.14.4' } }),
    definition('probes', 'monitoring.coreos.com', { annotations: { 'operator.prometheus.io/version': '0.72.0' } }),
  ],
}

async function scan(lists: Record<string, unknown[]>, without: string[] = []) {
  const home = temporaryFolder()
  const report = join(home, 'scanned.json')
  const { metadata, checks } = readReportFile(exampleFile(1))
  writeFileSync(report, JSON.stringify({ metadata, checks }))
  const all = Object.entries(wholeCluster(lists)).filter(([kind]) => !without.includes(kind))
  writeCluster(join(home, 'cluster'), Object.fromEntries(all))
  const { env } = makePrograms(home, ['kubebuddy', 'kubectl'], { FAKE_REPORT: report })
  const run = (argv: string) => runCli(argv.split(' '), { home, env })
  await run('scan run --cluster shop')
  return run
}

test('definitions older than their controller come first, with the step that applies them', async () => {
  const run = await scan(cluster)
  const { stdout } = await run('reports freshness --crds')
  const rows = stdout.replaceAll(/ {2,}/g, '  ').split('\n')
  expect(rows.slice(1, 4).map((row) => row.split('  ')[0])).toEqual([
    'issuers.cert-manager.io',
    'applications.argoproj.io',
    'probes.monitoring.coreos.com',
  ])
  expect(stdout).toMatch(/issuers\.cert-manager\.io .*v1beta1 \(stored\) +v1\.14\.4 +v1\.15\.3 +older/)
  expect(stdout).toMatch(/applications\.argoproj\.io .*not stated +not known +not known/)
  expect(stdout).toMatch(/probes\.monitoring\.coreos\.com .*0\.72\.0 +v0\.72\.0 +equal/)
  expect(stdout).toContain('1 definition is of v1.14.4, and v1.15.3 of quay.io/jetstack/cert-manager-controller runs.')
  expect(stdout).toContain('releases/download/v1.15.3/cert-manager.crds.yaml')
  expect(stdout).toContain('Not known whether 1 definition is older than the controller that runs.')
  const { custom_resources } = JSON.parse((await run('reports freshness --crds --json')).stdout)
  expect(custom_resources).toHaveLength(3)
  expect((await run('reports freshness')).stdout).toContain(
    '1 definition of custom resources is older than the controller that runs. Add --crds for the steps.',
  )
})

test('definitions that may not be listed are not known', async () => {
  const run = await scan(cluster, ['customresourcedefinitions.apiextensions.k8s.io'])
  const { stderr } = await run('reports freshness --crds')
  expect(stderr).toContain('The definitions of custom resources are not known. The account may not list')
  expect(JSON.parse((await run('reports freshness --json')).stdout)).not.toHaveProperty('custom_resources')
})

test('a cluster without custom resources has none', async () => {
  const run = await scan({ pods: cluster.pods })
  expect((await run('reports freshness --crds')).stderr).toContain('The cluster has no custom resources.')
})
