import { describe, expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { makeSmallCatalog, smallReport } from '../helpers/small-store.ts'

const wrong = { Namespace: 'shop', Resource: 'pod/cart', Message: 'is wrong' }
const kubebuddy = (day: number, score: number, items: Record<string, string>[]) =>
  smallReport(`2026-08-${day}T06:00:00Z`, score, { SEC014: { severity: 'critical', items } })

/** A scan of an image that finds nothing. */
const trivy = (day: number) => ({
  SchemaVersion: 2,
  ...{ CreatedAt: `2026-08-${day}T08:00:00Z`, ArtifactName: 'nginx:1.27.3', ArtifactType: 'container_image' },
  Results: [{ Target: 'nginx:1.27.3 (debian 12.5)', Class: 'os-pkgs', Type: 'debian' }],
})

/** A cluster that KubeBuddy finds worse each time, with a clean scan of an image after each. */
async function openStore() {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  const upload = async (report: unknown) => {
    const argv = ['reports', 'upload', '-', '--json', '--cluster', 'shop-prod']
    return JSON.parse((await runCli(argv, { home, stdin: JSON.stringify(report) })).stdout).run_id as string
  }
  const ids = {
    kubebuddy: [await upload(kubebuddy(20, 90, [])), ''],
    trivy: [await upload(trivy(20)), ''],
  }
  ids.kubebuddy[1] = await upload(kubebuddy(30, 40, [wrong]))
  ids.trivy[1] = await upload(trivy(30))
  const now = Date.UTC(2026, 7, 31, 12) / 1000
  const run = (...argv: string[]) => runCli(argv, { home, columns: 160, now, env: { NO_COLOR: '1' } })
  const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout)
  return { ids, run, json }
}

const toFormats = (found: { format: string }[]) => found.map(({ format }) => format)

describe('two scanners under one cluster name', () => {
  test('stand apart in status and clusters, and the worst counts', async () => {
    const { ids, run, json } = await openStore()
    for (const cluster of [(await json('status')).clusters[0], await json('status', 'shop-prod')]) {
      expect(cluster.attention).toEqual(expect.arrayContaining(['new_critical', 'score_fell']))
      expect(cluster.latest_run).toMatchObject({ run_id: ids.kubebuddy[1], score: 40, score_delta: -50 })
      expect(toFormats(cluster.scanners)).toEqual(['kubebuddy', 'trivy'])
      expect(cluster.scanners[1]).toMatchObject({ attention: [], latest_run: { run_id: ids.trivy[1] } })
    }
    // One line a cluster: that of the worst scanner.
    expect((await run('status')).stdout).toMatch(/^shop-prod +40 +-50 +1 new critical \(kubebuddy\) /m)
    const { stdout } = await run('status', '--all', '-o', 'wide')
    expect(stdout).toMatch(/^shop-prod +prod +kubebuddy +40 +-50 /m)
    expect(stdout).toMatch(/^shop-prod +prod +trivy nginx +100 /m)
    expect((await run('status', '--all', '-o', 'csv')).stdout).toMatch(
      /\nshop-prod,prod,kubebuddy,40,.*\nshop-prod,prod,trivy nginx,100,/,
    )
  })

  test('a scan of an image does not hide what else runs', async () => {
    const { ids, run, json } = await openStore()
    const { freshness } = await json('status', 'shop-prod')
    expect(freshness).toMatchObject({ run_id: ids.kubebuddy[1], artifacts: 4 })
    expect((await run('clusters', 'versions', 'argo-cd')).stdout).toContain('shop-prod')
  })

  test('are compared each with its own run before', async () => {
    const { ids, run, json } = await openStore()
    for (const [before, after] of Object.values(ids)) {
      const compared = await json('reports', 'compare', '--to', after!)
      expect(compared).toMatchObject({ from: { run_id: before }, to: { run_id: after } })
    }
    const both = await json('reports', 'compare')
    expect(toFormats([both, ...both.other_scanners].map(({ to }) => to)).sort()).toEqual(['kubebuddy', 'trivy'])
    const { stdout } = await run('reports', 'compare')
    expect(stdout).toContain('1 new, 0 regressed')
    expect(stdout).toContain('by trivy\n')
  })

  test('have trends of their own', async () => {
    const { run, json } = await openStore()
    const trends = await json('reports', 'trends')
    const scores = [trends, ...trends.other_scanners].map(({ format, points }) => [
      format,
      points.map(({ score }: { score: number }) => score),
    ])
    expect(Object.fromEntries(scores)).toEqual({ kubebuddy: [90, 40], trivy: [100, 100] })
    const { stdout } = await run('reports', 'trends')
    expect(stdout).toContain('shop-prod (prod, kubebuddy)')
    expect(stdout).toContain('shop-prod (prod, trivy nginx)')
  })
})
