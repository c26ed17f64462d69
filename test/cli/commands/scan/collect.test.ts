import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCommand } from '../../../../src/cli/commands/scan/collect.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { trivyResources } from '../../../helpers/kubernetes/cluster-state.ts'
import { parse } from '../../../helpers/output.ts'
import { makePrograms } from '../../../helpers/programs.ts'
import { fixture } from '../../../reports/formats/fixture.ts'
import { deployment, wholeCluster, writeCluster } from '../../../scan/cluster.ts'

test('scan collect takes an operator and a cluster', async () => {
  const argv = '--from kubescape -c blue -e dev --context admin@blue --timeout 90s --out reports --compare'
  expect(await parse(createCommand, argv.split(' '))).toEqual([
    {
      ...{ from: 'kubescape', cluster: 'blue', environment: 'dev', context: 'admin@blue' },
      ...{ timeout: 90_000, out: 'reports', compare: true },
    },
  ])
})

test.each(['--cluster blue', '--from kubescape', '--from popeye --cluster blue', '--from kubescape --cluster blue x'])(
  'scan collect %s is refused',
  async (argv) => {
    await expect(parse(createCommand, argv.split(' '))).rejects.toThrow(/not specified|Allowed|too many/)
  },
)

const items: { kind: string }[] = JSON.parse(fixture('policy-report')).items

function prepare() {
  const home = temporaryFolder()
  const { env } = makePrograms(home, ['kubectl'])
  const write = (kinds: Record<string, string>) =>
    writeCluster(env.FAKE_CLUSTER!, {
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
  const { env } = makePrograms(home, ['kubectl'])
  writeCluster(env.FAKE_CLUSTER!, { deployments: [deployment('web', ['nginx:1.27.3'])] }, { resources: trivyResources })
  const relt = (argv: string) => runCli(argv.split(' '), { home, env })
  const { code, stderr } = await relt('scan collect --from trivy-operator --cluster blue')
  expect(code).toBe(1)
  expect(stderr).toContain('kubectl could not read the reports of trivy-operator.')
  expect(JSON.parse((await relt('reports list --json')).stdout).reports ?? []).toEqual([])
})
