import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { makePrograms } from '../../../helpers/programs.ts'
import { exampleFile, readReportFile } from '../../../helpers/report.ts'
import { deployment, node, wholeCluster, writeCluster } from '../../../scan/cluster.ts'

/** A store with one scan of a cluster with these nodes; undefined: the account may not list them. */
async function scanned(nodes: object[] | undefined) {
  const home = temporaryFolder()
  const report = join(home, 'scanned.json')
  const { metadata, checks } = readReportFile(exampleFile(1))
  writeFileSync(report, JSON.stringify({ metadata: { ...metadata, kubernetesVersion: 'v1.33.6' }, checks }))
  const { nodes: _, ...lists } = wholeCluster({ deployments: [deployment('web', ['nginx:1.27.3'])] })
  writeCluster(join(home, 'cluster'), { ...lists, ...(nodes && { nodes }) })
  const { env } = makePrograms(home, ['kubebuddy'], { FAKE_REPORT: report })
  const run = (argv: string) => runCli(argv.split(' '), { home, env })
  const scan = await run('scan run --cluster shop')
  return { run, scan }
}

const nodes = [
  node('a', { osImage: 'Ubuntu 20.04.6 LTS', kubeletVersion: 'v1.29.1' }),
  node('b', { osImage: 'Talos (v1.13.2)', containerRuntimeVersion: 'containerd://1.6.20' }),
  node('c', { osImage: 'Buildroot 2023.02.9' }),
]

test('what nodes run is listed, with ends of support and the skew of kubelets', async () => {
  const { run } = await scanned(nodes)
  const { stdout } = await run('reports freshness --nodes')
  expect(stdout).toMatch(/Operating system +Ubuntu 20\.04\.6 LTS +1 +ended on 2025-05-31/)
  expect(stdout).toMatch(/Operating system +Buildroot 2023\.02\.9 +1 +unknown: this form is not known/)
  expect(stdout).toMatch(/Kubelet +v1\.29\.1 +1 .*too old/)
  expect(stdout).toContain('The kubelet v1.29.1 is 4 minor versions older than the API server (1.33); 3 allowed')
  const { nodes: found } = JSON.parse((await run('reports freshness --json')).stdout)
  expect(found).toHaveLength(7)
  expect((await run('reports freshness')).stdout).toContain('Support of containerd://1.6.20 has ended, on 1 node.')
  expect((await run('gate check --fail-on skew')).code).toBe(5)
  const shown = JSON.parse((await run('status --all --json')).stdout)
  expect(shown.clusters[0].freshness.ended).toBeGreaterThan(2)
})

test('nodes that the account may not list are said, and no rule passes by them', async () => {
  const { run, scan } = await scanned(undefined)
  expect(scan.stderr).toContain('The inventory has no nodes: The account is forbidden to list nodes.')
  expect((await run('reports freshness --nodes')).stderr).toContain('The account is forbidden to list nodes.')
  const { code, stdout } = await run('gate check --fail-on skew')
  expect([code, stdout]).toEqual([6, expect.stringContaining('The account is forbidden to list nodes.')])
})
