import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { WantedChart } from '../../../../src/contract/wanted.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { makePrograms } from '../../../helpers/programs.ts'
import { exampleFile, readReportFile } from '../../../helpers/report.ts'
import { pod, wholeCluster, writeCluster } from '../../../scan/cluster.ts'

const application = (name: string, targetRevision: string, running?: string) => ({
  metadata: { name, namespace: 'argocd' },
  spec: {
    source: { chart: 'cert-manager', repoURL: 'https://charts.jetstack.io', targetRevision },
    destination: { namespace: name },
  },
  status: { history: running === undefined ? [] : [{ revision: running }] },
})

test('what git wants is shown beside what runs, and only an exact version drifts', async () => {
  const home = temporaryFolder()
  const report = join(home, 'scanned.json')
  const { metadata, checks } = readReportFile(exampleFile(1))
  writeFileSync(report, JSON.stringify({ metadata, checks }))
  const labels = { 'argocd.argoproj.io/instance': 'drifted' }
  writeCluster(join(home, 'cluster'), {
    ...wholeCluster({ pods: [pod('web', ['example.org/own:1'], { labels, namespace: 'drifted' })] }),
    'applicationsets.argoproj.io': [],
    'applications.argoproj.io': [
      application('drifted', 'v1.15.3', 'v1.15.1'),
      application('equal', 'v1.15.3', 'v1.15.3'),
      application('range', 'v1.x', 'v1.14.0'),
      application('waiting', 'v1.15.3'),
      application('open', '1.15.x'),
      application('branch', 'HEAD'),
      application('future', '>= 77.0.0'),
    ],
  })
  const { env } = makePrograms(home, ['kubebuddy'], { FAKE_REPORT: report })
  const run = (argv: string) => runCli(argv.split(' '), { home, env })
  await run('scan run --cluster shop')
  const { wanted, items } = JSON.parse((await run('reports freshness --json')).stdout)
  const found = Object.fromEntries((wanted as WantedChart[]).map((one) => [one.name, one]))
  expect(found).toMatchObject({
    drifted: { state: 'drifted', wanted_version: 'v1.15.3', running_version: 'v1.15.1', is_exact: true },
    equal: { state: 'equal', artifact_key: 'cert-manager@v1.15.3', newest_version: expect.any(String) },
    range: { state: 'unknown', is_exact: false, running_version: 'v1.14.0' },
    waiting: { state: 'unknown', running_version: null, artifact_key: null, newest_version: expect.any(String) },
  })
  expect(found.open).toMatchObject({ newest_in_range: expect.stringMatching(/^v1\.15\.\d+$/), next_version: null })
  expect(found.open!.newest_version).not.toBe(found.open!.newest_in_range)
  expect(found.range!.newest_in_range).toBe(found.range!.newest_version)
  const nothing = { newest_version: null, newest_in_range: null }
  expect([found.branch, found.future, found.waiting!.newest_in_range]).toMatchObject([nothing, nothing, null])
  expect(found.drifted!.next_version).toEqual(expect.any(String))
  const states = Object.fromEntries(
    items.map((item: { artifact_key: string; states: string[] }) => [item.artifact_key, item.states]),
  )
  expect(states['cert-manager@v1.15.1']).toContain('drifted')
  expect(states['cert-manager@v1.15.3']).not.toContain('drifted')
  expect(
    items.find(({ display_name }: { display_name: string }) => display_name === 'example.org/own:1'),
  ).toMatchObject({
    inherited_from_helm: true,
  })
  const { stdout } = await run('reports freshness --wanted')
  expect(stdout).toMatch(/Application argocd\/drifted +cert-manager +v1\.15\.3 +v1\.15\.1 +drifted/)
  expect(stdout).toMatch(/Application argocd\/open +cert-manager +1\.15\.x \(range\) .*\(v1\.15\.\d+ in the range\)/)
  expect(stdout).toMatch(/Application argocd\/range +cert-manager +v1\.x \(range\) +v1\.14\.0 +unknown/)
})
