import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import collectVerb from '../../../../src/cli/commands/scan/collect.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { trivyResources } from '../../../helpers/kubernetes/cluster-state.ts'
import { parse } from '../../../helpers/output.ts'
import { makePrograms } from '../../../helpers/programs.ts'
import { fixture } from '../../../reports/formats/fixture.ts'
import { deployment, pod, wholeCluster, writeCluster } from '../../../scan/cluster.ts'

test('scan collect takes an operator and a cluster', async () => {
  const argv = '--from kubescape -c blue -e dev --context admin@blue --timeout 90s --out reports --compare'
  expect(await parse(collectVerb, argv.split(' '))).toEqual([
    {
      ...{ from: 'kubescape', cluster: 'blue', environment: 'dev', context: 'admin@blue' },
      ...{ timeout: 90_000, out: 'reports', compare: true },
    },
  ])
})

test.each(['--cluster blue', '--from popeye --cluster blue', '--from kubescape --cluster blue x'])(
  'scan collect %s is refused',
  async (argv) => {
    await expect(parse(collectVerb, argv.split(' '))).rejects.toThrow(/not specified|Allowed|too many/)
  },
)

test('a cluster that nothing names is refused before it is asked', async () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'namespace'), 'relt')
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443', RELT_SERVICE_ACCOUNT: home }
  writeFileSync(join(home, 'ca.crt'), '')
  const { code, stderr } = await runCli(['scan', 'collect', '--from', 'kubescape'], { home, env })
  expect([code, stderr]).toEqual([2, expect.stringContaining('Add --cluster NAME.')])
})

const items: { kind: string }[] = JSON.parse(fixture('policy-report')).items

function prepare() {
  const home = temporaryFolder()
  const { env } = makePrograms(home, [])
  const write = (kinds: Record<string, string>) =>
    writeCluster(join(env.HOME!, 'cluster'), {
      ...wholeCluster({ deployments: [deployment('web', ['nginx:1.27.3'])] }),
      ...Object.fromEntries(
        Object.entries(kinds).map(([resource, kind]) => [resource, items.filter((item) => item.kind === kind)]),
      ),
    })
  write({
    'policyreports.wgpolicyk8s.io': 'PolicyReport',
    'clusterpolicyreports.wgpolicyk8s.io': 'ClusterPolicyReport',
  })
  const relt = (argv: string) => runCli(argv.split(' '), { home, env })
  return { home, relt, write }
}

test('scan collect stores the reports and the inventory as one run', async () => {
  const { home, relt } = prepare()
  const out = join(home, 'collected')
  const { code, stdout } = await relt(
    `scan collect --from policy-reports --cluster blue --environment dev --out ${out} --json`,
  )
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    reports: 3,
    file: join(out, readdirSync(out)[0]!),
    run: {
      cluster_name: 'blue',
      environment: 'dev',
      findings: { total: 4 },
      artifacts: { images: 1 },
      not_run_checks: 2,
    },
  })
})

test('a second collection compares with the first', async () => {
  const { relt, write } = prepare()
  await relt('scan collect --from policy-reports --cluster blue')
  write({ 'policyreports.wgpolicyk8s.io': 'PolicyReport', 'clusterpolicyreports.wgpolicyk8s.io': 'None' })
  const { stdout } = await relt('scan collect --from policy-reports --cluster blue --compare --json')
  // The check is in no report of the second collection, so it may have been removed with its policy.
  expect(JSON.parse(stdout).comparison).toMatchObject({
    resolved_findings_count: 0,
    unchanged_findings_count: 3,
    incomparable_findings_count: 1,
  })
})

test('scan collect stores nothing when no report can be read', async () => {
  const home = temporaryFolder()
  const { env } = makePrograms(home, [])
  writeCluster(
    join(env.HOME!, 'cluster'),
    { deployments: [deployment('web', ['nginx:1.27.3'])] },
    { resources: trivyResources },
  )
  const relt = (argv: string) => runCli(argv.split(' '), { home, env })
  const { code, stderr } = await relt('scan collect --from trivy-operator --cluster blue')
  expect(code).toBe(1)
  expect(stderr).toContain('The reports of trivy-operator could not be read.')
  expect(JSON.parse((await relt('reports list --json')).stdout).reports ?? []).toEqual([])
})

describe('reports of images', () => {
  const group = 'aquasecurity.github.io'
  const report = (name: string, cves: string[]) => ({
    metadata: {
      ...{ name: `statefulset-${name}-app`, namespace: 'shop' },
      labels: {
        'trivy-operator.resource.kind': 'StatefulSet',
        'trivy-operator.resource.name': name,
        'trivy-operator.container.name': 'app',
      },
    },
    report: {
      ...{ artifact: { repository: 'shop/app', tag: '1.0' }, summary: { highCount: cves.length } },
      vulnerabilities: cves.map((id) => ({ vulnerabilityID: id, resource: 'openssl', severity: 'HIGH' })),
    },
  })
  const running = (name: string) =>
    pod(`${name}-0`, ['shop/app:1.0'], { owner: { kind: 'StatefulSet', name }, containers: ['app'] })

  function open() {
    const home = temporaryFolder()
    const { env } = makePrograms(home, [])
    const write = (reports: unknown[]) =>
      writeCluster(join(env.HOME!, 'cluster'), {
        ...wholeCluster({ pods: ['a', 'b', 'c'].map(running) }),
        [`vulnerabilityreports.${group}`]: reports,
      })
    let now = testNow
    const collect = () => {
      now += 3600
      const argv = 'scan collect --from trivy-operator --cluster blue --compare'
      return runCli(argv.split(' '), { home, env, now })
    }
    return { write, collect, relt: (argv: string) => runCli(argv.split(' '), { home, env, now }) }
  }

  test('a report that is gone for a while changes nothing, and its finding names its workloads', async () => {
    const { write, collect, relt } = open()
    write([report('a', ['CVE-1']), report('b', ['CVE-1']), report('c', [])])
    await collect()
    write([report('a', ['CVE-1']), report('c', [])])
    const gone = await collect()
    expect(gone.stdout).toContain('0 new, 0 regressed, 0 resolved, 1 not comparable')
    expect(gone.stdout).toContain('1 finding of workloads without a report now: compared when it is back\n')
    write([report('a', ['CVE-1']), report('b', ['CVE-1', 'CVE-2']), report('c', [])])
    const back = await collect()
    expect(back.stdout).toContain('1 new, 0 regressed, 0 resolved, 1 unchanged')
    const { items } = JSON.parse((await relt('findings list --check CVE-1 --namespace shop --json')).stdout)
    expect(items).toMatchObject([{ namespace: 'shop', resource: 'image/shop/app', count: 2 }])
    const { stdout } = await relt(`findings show ${items[0].fingerprint}`)
    expect(stdout).toMatch(/Workloads +shop\/statefulset\/a \(app\)\n +shop\/statefulset\/b \(app\)\n/)
    const byWorkload = JSON.parse((await relt('findings list --resource statefulset/b --json')).stdout)
    expect(byWorkload.items.map(({ check_id }: { check_id: string }) => check_id).sort()).toEqual(['CVE-1', 'CVE-2'])
    write(['a', 'b', 'c'].map((name) => report(name, [])))
    expect((await collect()).stdout).toContain('0 new, 0 regressed, 2 resolved, 0 unchanged')
  })
})
