import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { makeSmallCatalog, smallReport } from '../helpers/small-store.ts'

const registry = { Namespace: 'shop', Resource: 'pod/cart', Message: 'Registry is not on the list' }
const bad = smallReport('2026-08-31T06:00:00Z', 40, { SEC014: { severity: 'critical', items: [registry] } })
const good = smallReport('2026-08-31T07:00:00Z', 95, { SEC014: { severity: 'critical', items: [] } })

/** A scan of Trivy that finds nothing, later than those of KubeBuddy. */
const cleanScan = JSON.stringify({
  SchemaVersion: 2,
  ...{ CreatedAt: '2026-08-31T08:00:00Z', ArtifactName: 'nginx:1.27.3', ArtifactType: 'container_image' },
  Results: [{ Target: 'nginx:1.27.3 (debian 12.5)', Class: 'os-pkgs', Type: 'debian' }],
})

async function openStore() {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  const run = (...argv: string[]) => runCli(argv, { home })
  const upload = async (report: unknown, ...more: string[]) => {
    const stdin = typeof report === 'string' ? report : JSON.stringify(report)
    const { stdout } = await runCli(['reports', 'upload', '-', '--json', ...more], { home, stdin })
    return JSON.parse(stdout).run_id as string
  }
  const check = (...more: string[]) => run('gate', 'check', '--fail-on', 'findings>=critical', ...more)
  return { home, run, upload, check }
}

describe('a store of several clusters', () => {
  test('has no verdict until one is chosen, whichever was uploaded last', async () => {
    const { home, run, upload, check } = await openStore()
    const id = await upload(bad, '--cluster', 'prod-eu')
    await upload(good, '--cluster', 'my shop', '--environment', 'test')
    for (const reference of [[], ['latest'], ['latest~1'], ['@2026-09-01']]) {
      const { code, stdout, stderr } = await run('gate', 'check', ...reference, '--fail-on', 'findings>=critical')
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toBe(
        [
          'error: The store has runs of several clusters, and a gate judges one.',
          '  my shop (test): --cluster "my shop" --environment test',
          '  prod-eu (prod): --cluster prod-eu --environment prod',
          'hint: Choose one with --cluster and --environment, or name a run.\n',
        ].join('\n'),
      )
    }
    expect((await run('gate', 'vex')).code).toBe(2)
    expect((await check('-c', 'my shop')).code).toBe(0)
    expect((await check('-c', 'prod-eu')).code).toBe(5)
    expect((await check(id)).code).toBe(5)
    const env = { RELT_CLUSTER: 'prod-eu' }
    expect((await runCli(['gate', 'check', '--fail-on', 'findings>=critical'], { home, env })).code).toBe(5)
  })

  test('asks for the environment of a cluster that has two', async () => {
    const { upload, check } = await openStore()
    await upload(bad)
    await upload(good, '--environment', 'test')
    const { code, stderr } = await check('-c', 'shop-prod')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('shop-prod has runs of several environments, and a gate judges one.'),
    })
    expect((await check('-e', 'prod')).code).toBe(5)
  })
})

test('a verdict names the cluster, the run and its age in every medium', async () => {
  const { home, upload, check } = await openStore()
  const id = await upload(good)
  const about = { run_id: id, cluster_name: 'shop-prod', environment: 'prod', format: 'kubebuddy' }
  const scanned = { scanned_at: '2026-08-31 07:00:00', age_seconds: 104_400 }
  expect((await check()).stdout).toMatch(
    new RegExp(`^Gate passed\nshop-prod \\(prod\\), run ${id} of kubebuddy, scanned 2026-08-31 07:00:00, 29 h ago\n`),
  )
  expect(JSON.parse((await check('--json')).stdout)).toMatchObject({ ...about, ...scanned })
  const out = (name: string) => join(home, name)
  const files = ['--summary', out('s.md'), '--junit', out('j.xml'), '--sarif', out('f.sarif')]
  const ci = ['ci', '-', '--fail-on', 'score<99', ...files]
  const env = { GITHUB_ACTIONS: 'true' }
  const { stdout, stderr } = await runCli([...ci, '--json'], { home, env, stdin: JSON.stringify(good) })
  expect(JSON.parse(stdout)).toMatchObject({ ...about, ...scanned })
  expect(stderr).toContain(`%0Ashop-prod (prod), run ${id} of kubebuddy, scanned 2026-08-31 07:00:00, 29 h ago`)
  const text = (name: string) => readFileSync(out(name), 'utf8')
  expect(text('s.md')).toContain(', scanned 2026-08-31 07:00:00, 29 h ago')
  expect(text('j.xml')).toContain('<property name="cluster_name" value="shop-prod"/>')
  expect(text('j.xml')).toContain('<property name="age_seconds" value="104400"/>')
  const { format: _, ...inSarif } = about
  expect(JSON.parse(text('f.sarif')).runs[0].properties).toMatchObject({ ...inSarif, ...scanned })
})

describe('two scanners of one cluster', () => {
  test('are both judged, and the worst verdict counts', async () => {
    const { run, upload, check } = await openStore()
    const kubebuddy = await upload(bad)
    const trivy = await upload(cleanScan, '--cluster', 'shop-prod')
    for (const _ of [1, 2]) {
      const { code, stdout } = await check('--json')
      expect(code).toBe(5)
      expect(JSON.parse(stdout)).toMatchObject({
        ...{ run_id: kubebuddy, verdict: 'failed' },
        others: [{ run_id: trivy, verdict: 'passed', format: 'trivy' }],
      })
    }
    const { stdout } = await check()
    expect(stdout).toMatch(/^Gate failed\n.*of kubebuddy.*\n(.*\n)*\nGate passed\n.*of trivy/)
    const gateFor = async (id: string) => JSON.parse((await run('reports', 'show', id, '--json')).stdout).gate.verdict
    expect([await gateFor(kubebuddy), await gateFor(trivy)]).toEqual(['failed', 'passed'])
    expect((await check(trivy)).code).toBe(0)
  })

  test('are judged by the rules that their reports can decide', async () => {
    const { run, upload } = await openStore()
    await upload(good)
    await upload(cleanScan, '--cluster', 'shop-prod')
    const rules = ['score<80', 'major-behind>9', 'kubernetes-eol'].flatMap((rule) => ['--fail-on', rule])
    const { code, stdout } = await run('gate', 'check', ...rules, '--json')
    const judged = [JSON.parse(stdout), ...JSON.parse(stdout).others]
    const toRules = (format: string) =>
      judged.find((each) => each.format === format).rules.map((each: { rule: string }) => each.rule)
    expect(code).toBe(0)
    expect(toRules('kubebuddy')).toEqual(['score<80', 'major-behind>9', 'kubernetes-eol'])
    expect(toRules('trivy')).toEqual(['score<80', 'major-behind>9'])
  })

  test('share the exceptions: one that either needs is used', async () => {
    const { home, run, upload } = await openStore()
    await upload(bad)
    await upload(cleanScan, '--cluster', 'shop-prod')
    await run(
      'exceptions',
      'add',
      '--check',
      'SEC014',
      '--all-clusters',
      '--reason',
      'moves soon',
      '--until',
      '2026-12-31',
    )
    await run(
      'exceptions',
      'add',
      '--check',
      'NET001',
      '--all-clusters',
      '--reason',
      'not needed',
      '--until',
      '2026-12-31',
    )
    const { items } = JSON.parse((await runCli(['exceptions', 'list', '--json'], { home })).stdout)
    expect(items).toMatchObject([
      { check: 'SEC014', matched: 1 },
      { check: 'NET001', matched: 0 },
    ])
  })
})
