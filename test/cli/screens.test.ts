import { beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../helpers/cli.ts'
import { folderOfFile } from '../helpers/output.ts'
import { makeSmallCatalog, smallReport, uploadAll } from '../helpers/small-store.ts'

const home = folderOfFile()
const names = [
  'prod-eu',
  'prod-us',
  'edge-eu',
  'edge-us',
  'data',
  'tools',
  'dev',
  'test',
  'shop-with-a-long-name',
  'ml',
]

/** Many findings with long names, so that neither rows nor messages fit by luck. */
const findings = (cluster: string, many: number) =>
  Array.from({ length: many }, (_, i) => ({
    Namespace: `team-${i % 4}`,
    Resource: `deployment/${cluster}-service-with-a-name-${i}`,
    Message: `Container ${cluster}-service-${i} may run as root, because neither pod nor image sets a user`,
  }))

function toReport(cluster: string, at: string, many: number) {
  const report = smallReport(at, 90 - many, {
    SEC003: { severity: 'critical', items: findings(cluster, many) },
    WRK007: { severity: 'warning', items: findings(cluster, 3) },
  })
  report.metadata.clusterName = cluster
  return report
}

beforeAll(async () => {
  await makeSmallCatalog(home)
  await uploadAll(
    home,
    names.flatMap((name, i) => [
      toReport(name, '2026-08-31T06:00:00Z', 4),
      toReport(name, '2026-09-01T06:00:00Z', 4 + (i % 5)),
    ]),
  )
  await runCli(['subs', 'add', 'argo-cd', 'nginx', 'kubernetes'], { home })
})

const questions = [
  'status',
  'status --all',
  'findings list --all --state new,regressed',
  'findings list --all --severity critical',
  'findings top --all --severity critical',
  'reports compare -c data',
  'reports freshness --all',
  'impact',
  'impact CVE-2026-1234',
  'clusters versions kubernetes',
  'subs list',
  'gate explain -c data',
  'feed --days 365',
]

/** With the line of the prompt. */
const screen = 24

describe.each([80, 120])('at %d columns', (columns) => {
  test.each(questions)('relt %s fits a screen of ten clusters, and says the same again', async (question) => {
    const ask = () => runCli(question.split(' '), { home, columns, rows: screen })
    const { stdout, stderr } = await ask()
    const lines = `${stdout}${stderr}`.trimEnd().split('\n')
    expect(lines.length).toBeLessThan(screen)
    expect(await ask()).toEqual(expect.objectContaining({ stdout, stderr }))
  })
})

test('relt alone fits 40 lines, and says where the rest is', async () => {
  const { stdout } = await runCli([], { home, columns: 80 })
  expect(stdout.split('\n').length).toBeLessThanOrEqual(40)
  expect(stdout).toContain('relt help --all')
})

test.each([
  'reports list',
  'reports show',
  'reports compare',
  'reports freshness',
  'reports trends',
  'reports html',
  'findings list',
  'findings top',
  'upgrade plan',
  'gate try --fail-on score<1',
])('relt %s does not choose one of several clusters, and lists them', async (command) => {
  const { code, stdout, stderr } = await runCli(command.split(' '), { home })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^error: There are 10 clusters: data, dev, /)
  expect(stderr).toContain('-c NAME')
})

test('relt impact -c is about one cluster, and a misspelt one is not found', async () => {
  const { stdout } = await runCli(['impact', '-c', 'data/prod', '--json'], { home })
  expect(JSON.parse(stdout).summary.clusters_seen).toBe(1)
  const { code, stderr } = await runCli(['impact', '-c', 'dat'], { home })
  expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('Did you mean data?') })
})
