import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder, testNow } from '../helpers/cli.ts'
import { makePrograms } from '../helpers/programs.ts'
import { makeSmallCatalog, smallReports } from '../helpers/small-store.ts'
import { deployment, pod, wholeCluster, writeCluster } from '../scan/cluster.ts'

const [, second, third] = smallReports

/** As a native build writes it: without an inventory. */
function withoutInventory({ metadata, checks }: Record<string, unknown>): string {
  return JSON.stringify({ metadata, checks })
}

test('from a profile to a scan with its inventory, a second one, and the verdict of the gate', async () => {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  const report = join(home, 'scanned.json')
  const { env, calls } = makePrograms(home, ['kubebuddy'], { FAKE_REPORT: report })
  const relt = (argv: string[], now = testNow) => runCli(argv, { home, env, now })
  const created = await relt([
    'profiles',
    'create',
    'prod',
    '--cluster',
    'shop-prod',
    '--set',
    'thresholds.cpu_warning=60',
  ])
  expect(created.code).toBe(0)

  const argo = {
    labels: { 'helm.sh/chart': 'argo-cd-7.3.4', 'app.kubernetes.io/managed-by': 'Helm' },
    annotations: { 'meta.helm.sh/release-name': 'argocd' },
  }
  const lists = {
    deployments: [deployment('web', ['nginx:1.27.3']), deployment('argocd', ['quay.io/argoproj/argocd:v2.11.4'], argo)],
    pods: [pod('web-65cc8855c-a', ['nginx:1.27.3', 'registry.example/team/sidecar:1.0.0'], { deployment: 'web' })],
  }
  writeCluster(join(home, 'cluster'), wholeCluster(lists))

  writeFileSync(report, withoutInventory(second!))
  expect(await relt(['scan', 'run', '--profile', 'prod'], testNow - 3600)).toMatchObject({ code: 0 })
  expect(calls()[0]!.config!.text).toContain('cpu_warning: 60')

  writeFileSync(report, withoutInventory(third!))
  const policy = (exceptions: string) => {
    const file = join(home, 'policy.yaml')
    writeFileSync(file, `gate:\n  fail_on: [new>=high]\n  exceptions:${exceptions}\n`)
    return file
  }
  const scan = (file: string, now: number) =>
    relt(['scan', 'run', '--profile', 'prod', '--compare', '--gate', '--policy', file], now)

  const failed = await scan(policy(' []'), testNow)
  expect(failed.code).toBe(5)
  expect(failed.stdout).toContain(
    '✗ new>=high  2 new findings at or above high; 0 allowed (since 2026-09-01 11:00, the first run)\n',
  )
  expect(failed.stdout).toContain('critical SEC014 shop pod/cart-5d9c7b8f66-k2j4x')
  expect(failed.stderr).toContain('error: The gate failed: new>=high\n')

  const until = (day: string) => `
    - {check: SEC014, namespace: shop, resource: pod/cart-*, reason: moves soon, expires: ${day}}
    - {check: NET002, reason: behind a firewall, expires: 2026-12-31}`
  const passed = await scan(policy(until('2026-09-01')), testNow)
  expect(passed.code).toBe(0)
  expect(passed.stdout).toContain('(2 excepted by the policy file)')

  const expired = await scan(policy(until('2026-08-31')), testNow)
  expect(expired.code).toBe(5)
  expect(expired.stdout).toContain('Exceptions: 1 used, 0 unused, 1 expired')

  const { stdout } = await relt(['reports', 'freshness', '--json'])
  const items: { artifact_type: string; display_name: string; inherited_from_helm: boolean; recommendation: string }[] =
    JSON.parse(stdout).items
  const images = items.filter((item) => item.artifact_type === 'image')
  expect(images.map((item) => [item.display_name, item.inherited_from_helm]).sort()).toEqual([
    ['nginx:1.27.3', false],
    ['quay.io/argoproj/argocd:v2.11.4', true],
    ['registry.example/team/sidecar:1.0.0', false],
  ])
  expect(images.find((item) => item.inherited_from_helm)!.recommendation).toContain('argo-cd')
})
