import { expect, test } from 'vitest'
import { fleetSummary } from '../../../../src/views/fleet.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'

const rows = ['cart', 'search', 'web'].map((name) => ({
  ...{ Namespace: 'shop', Resource: `service/${name}`, Value: '', Message: 'No endpoints' },
}))
const report = {
  metadata: { clusterName: 'shop-prod', generatedAt: '2026-08-31T06:00:00Z', score: 40 },
  checks: {
    NET001: { ID: 'NET001', Name: 'Services Without Endpoints', Severity: 'critical', Total: 3, Items: rows },
    NS001: { ID: 'NS001', Name: 'Empty Namespaces', Severity: 'low', Total: 0, Items: [] },
  },
}

async function firstUpload() {
  const home = temporaryFolder()
  const run = (...argv: string[]) => runCli(argv, { home, stdin: JSON.stringify(report) })
  expect((await run('reports', 'upload', '-')).code).toBe(0)
  const accept = (...of: string[]) =>
    run(
      'exceptions',
      'add',
      ...of,
      ...(of.includes('--check') ? ['--all-clusters'] : []),
      '--until',
      '30d',
      '--reason',
      'Known',
    )
  return { run, accept }
}

/** What the mail about a fleet says. */
async function mailOf(run: (...argv: string[]) => Promise<{ stdout: string }>) {
  const page = JSON.parse((await run('status', '--json')).stdout)
  return fleetSummary({ items: page.clusters, total: page.clusters.length, summary: page.summary }, testNow).verdict
}

test('a first upload with critical findings is not said to need no attention', async () => {
  const { run } = await firstUpload()
  for (const argv of [['status'], ['status', 'shop-prod']]) {
    const { stdout } = await run(...argv)
    expect(stdout).toContain(
      'Nothing new since Mon 08:00. Standing: 3 critical in 1 cluster, not accepted, the oldest for 30 h\n',
    )
    expect(stdout).not.toMatch(/needs? (?:no )?attention/i)
  }
  expect(await mailOf(run)).toBe(
    'Nothing new since Mon 08:00. Standing: 3 critical in 1 cluster, not accepted, the oldest for 30 h',
  )
})

test('critical findings that an exception accepts do not stand', async () => {
  const { run, accept } = await firstUpload()
  expect((await accept('--check', 'NET001', '--resource', 'service/web')).code).toBe(0)
  expect((await run('status')).stdout).toContain(
    'Nothing new since Mon 08:00. Standing: 2 critical in 1 cluster, not accepted, the oldest for 30 h\n',
  )
  expect((await accept('--check', 'NET001', '--namespace', 'shop')).code).toBe(0)
  for (const argv of [['status'], ['status', 'shop-prod']])
    expect((await run(...argv)).stdout).not.toContain('Standing')
  expect((await run('status')).stdout).toContain('None of 1 cluster is known to need attention\n')
  expect((await run('status', 'shop-prod')).stdout).toContain('Nothing is known to need attention\n')
  expect(await mailOf(run)).toBe('None of 1 cluster is known to need attention')
})
