import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import planVerb from '../../../../src/cli/commands/upgrade/plan.ts'
import type { UpgradeReason } from '../../../../src/contract/upgrade.ts'
import type { PlannedCluster } from '../../../../src/contract/upgrade-fleet.ts'
import { plainText } from '../../../../src/views/said.ts'
import { decidingLines } from '../../../../src/views/upgrade-fleet.ts'
import { runCli } from '../../../helpers/cli.ts'
import { folderOfFile, parse } from '../../../helpers/output.ts'

const home = folderOfFile()

const image = (fullRef: string, name: string) => ({
  ...{ fullRef, namespace: name, workloadKind: 'Deployment', workloadName: name },
})
const images = [
  image('ghcr.io/kedacore/keda:2.18.3', 'keda'),
  image('registry.k8s.io/kube-state-metrics/kube-state-metrics:v2.17.0', 'monitoring'),
]

beforeAll(async () => {
  const file = join(home, 'report.json')
  const report = { metadata: { clusterName: 'shop', kubernetesVersion: 'v1.33.4' }, checks: {}, artifacts: { images } }
  writeFileSync(file, JSON.stringify(report))
  await runCli(['reports', 'upload', file, '--as-is', '-e', 'prod'], { home })
})

test.each([
  [['plan'], [[], {}]],
  [
    ['plan', 'keda', 'rancher', '--to', '1.36'],
    [['keda', 'rancher'], { to: '1.36' }],
  ],
  [
    ['plan', '--all', '--label', 'team-a'],
    [[], { all: true, label: 'team-a' }],
  ],
])('upgrade %j', async (argv, expected) => {
  expect(await parse(planVerb, argv.slice(1))).toEqual(expected)
})

test('shows the steps of a cluster below their hop, in order', async () => {
  const { stdout } = await runCli(['upgrade', 'plan', '--to', '1.34'], { home })
  const lines = stdout.split('\n').map((line) => line.trim())
  const at = (start: string) => lines.findIndex((line) => line.startsWith(start))
  expect(lines[0]).toMatch(/^READY WITH WARNINGS \(\d+ not stated\): Kubernetes 1\.33 to 1\.34$/)
  const order = ['Before Kubernetes', '1. KEDA 2.18.3 → 2.19.0', 'Kubernetes and nodes', '2. Kubernetes v1.33.4 →']
  const found = [...order, '3. Nodes', 'After Kubernetes', '4. kube-state-metrics v2.17.0 → v2.18.0'].map(at)
  expect(found.every((index) => index > 0)).toBe(true)
  expect(found).toEqual(found.toSorted((a, b) => a - b))
})

test('checks parts as people write them, and says what no part says', async () => {
  const digest = `sha256:${'0'.repeat(64)}`
  const parts = ['keda:2.18.3', 'keda@2.18.3', `ghcr.io/kedacore/keda:2.18.3@${digest}`]
  const found = await runCli(['upgrade', 'check', '--kubernetes', '1.33', '--to', '1.34', ...parts, '-o', 'csv'], {
    home,
  })
  expect(found.stdout.match(/^KEDA,2\.18\.3,upgrade/gm)).toHaveLength(3)
  const down = await runCli(['upgrade', 'check', '--kubernetes', '1.34', '--to', '1.33', 'keda@2.18.3'], { home })
  expect(down.stdout).toContain(
    'BLOCKED (1): Kubernetes 1.34 to 1.33\n  There is no way from Kubernetes 1.34 down to 1.33.\n',
  )
  const { code, stderr } = await runCli(['upgrade', 'check', '--kubernetes', '1.33', '--to', '1.34', 'keda'], { home })
  expect([code, stderr]).toEqual([2, expect.stringContaining('keda names no version')])
})

test('shows the stops of a path, also those that are no good step by themselves', async () => {
  const { stdout } = await runCli(['upgrade', 'path', 'mongodb', '4.4.31'], { home })
  expect(stdout).toMatch(/^MongoDB 4\.4\.31 → 5\.0\.34 → 6\.0\.29 → 7\.0\.40 → /)
  expect(stdout).toContain('\n2. 5.0.34 → 6.0.29 → 7.0.40 → ')
})

test('names a project that the catalog lacks as it was typed', async () => {
  const { code, stderr } = await runCli(['upgrade', 'path', 'microk8s', 'v1.30.1'], { home })
  const said = 'error: No project named "microk8s".\nhint: Search for it: relt projects search TEXT\n'
  expect([code, stderr]).toEqual([3, said])
})

test('shows a fleet, and refuses a cluster or a project beside it', async () => {
  const { stdout } = await runCli(['upgrade', 'plan', '--all', '--to', '1.34', '-o', 'csv'], { home })
  expect(stdout).toContain('before 1.34,KEDA,2.18.3 → 2.19.0')
  for (const more of [['--cluster', 'shop'], ['keda']]) {
    const { code, stderr } = await runCli(['upgrade', 'plan', '--all', ...more], { home })
    expect([code, stderr]).toEqual([2, expect.stringContaining('--all and --label plan several clusters')])
  }
})

test('names once what blocks or leaves undecided, with its clusters', () => {
  const reasons = (word: UpgradeReason['word'], ...says: string[]) =>
    says.map((text) => ({ word, project_slug: 'velero', says: text }))
  const cluster = (cluster_name: string, verdict: PlannedCluster['verdict'], own: UpgradeReason[]): PlannedCluster => ({
    ...{
      cluster_name,
      environment: 'prod',
      run_id: 'crun_1',
      verdict,
      kubernetes: 'v1.33.1',
      from: '1.33',
      to: '1.34',
    },
    ...{ steps: 0, reasons: own, total: own.length },
  })
  const lines = decidingLines([
    cluster('a', 'undetermined', reasons('undetermined', 'Nobody states Velero.')),
    cluster('b', 'warnings', reasons('not_stated', 'Nobody states Redis.')),
    cluster('c', 'blocked', reasons('blocked', 'No good version.', 'Nobody states Velero.')),
  ])
  expect(lines.map(plainText)).toEqual(['a/prod, c/prod: Nobody states Velero.', 'c/prod: No good version.'])
})

test('prints Markdown with the verdict first, and SARIF', async () => {
  const file = join(home, 'plan.sarif')
  const { stdout } = await runCli(['upgrade', 'plan', '--to', '1.34', '-o', 'markdown', '--sarif', file], { home })
  expect(stdout).toMatch(/^### READY WITH WARNINGS/)
  expect(stdout).toContain('| KEDA | 2.18.3 → 2.19.0 |')
})

test('adds the plan to the status of a cluster', async () => {
  const { stdout } = await runCli(['status', 'shop'], { home })
  expect(stdout).toMatch(/Upgrade to Kubernetes 1\.34: READY WITH WARNINGS \(\d+\), 2 parts to move/)
})
