import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { makePrograms } from '../../../helpers/programs.ts'
import { exampleFile, readReportFile } from '../../../helpers/report.ts'
import { deployment, node, wholeCluster, writeCluster } from '../../../scan/cluster.ts'

interface Kubelet {
  version: string
  labels?: Record<string, string>
  osImage?: string
}

/** A store with one scan of a cluster of this version. */
async function scanned(version: string, kubelets: Kubelet[], day: string) {
  const home = temporaryFolder()
  const report = join(home, 'scanned.json')
  const { metadata, checks } = readReportFile(exampleFile(1))
  writeFileSync(report, JSON.stringify({ metadata: { ...metadata, kubernetesVersion: version }, checks }))
  const nodes = kubelets.map(({ version: kubeletVersion, labels, osImage }, index) => {
    const one = node(`n${index}`, { kubeletVersion, ...(osImage !== undefined && { osImage }) })
    return { ...one, metadata: { ...one.metadata, ...(labels && { labels }) } }
  })
  const lists = wholeCluster({ deployments: [deployment('web', ['nginx:1.27.3'])] })
  writeCluster(join(home, 'cluster'), { ...lists, nodes })
  const { env } = makePrograms(home, ['kubebuddy'], { FAKE_REPORT: report })
  const now = Date.parse(`${day}T12:00:00Z`) / 1000
  const run = (argv: string) => runCli(argv.split(' '), { home, env, now })
  expect((await run('scan run --cluster shop')).code).toBe(0)
  return { home, run }
}

const aksNode = { 'kubernetes.azure.com/node-image-version': 'AKSUbuntu-2204gen2containerd-202610.1.0' }

test.each<[version: string, more: Omit<Kubelet, 'version'>, day: string, exit: number, support: string, to: string]>([
  [
    ...(['v1.34.1-eks-abc123', {}, '2026-11-27', 0] as const),
    ...(['has EKS standard support until 2026-12-02 (paid extended support until 2027-12-02)', '1.34'] as const),
  ],
  [
    ...(['v1.33.6-eks-abc123', {}, '2026-11-27', 5] as const),
    ...(['EKS standard support of Kubernetes 1.33 ended on 2026-07-29 (paid extended', '1.34'] as const),
  ],
  ['v1.34.1-gke.1829001', {}, '2026-11-27', 5, 'GKE support of Kubernetes 1.34 ended on 2026-10-01', '1.35'],
  ['v1.34.2', { labels: aksNode }, '2026-11-27', 0, 'has AKS standard support until 2026-11-30', '1.34'],
  ['v1.34.2', { labels: aksNode }, '2026-12-01', 5, 'AKS standard support of Kubernetes 1.34 ended', '1.35'],
  ['v1.34.2', {}, '2026-11-27', 5, 'Upstream support of Kubernetes 1.34 ended on 2026-10-27', '1.35'],
  ['v1.35.1-vke.3', {}, '2026-11-27', 0, 'Kubernetes 1.35 has upstream support until 2027-02-28', '1.35'],
  ['v1.37.0-eks-abc123', {}, '2026-11-27', 6, 'EKS did not list Kubernetes 1.37 on 2026-08-22', '1.37'],
  [
    ...(['v1.33.5', { osImage: 'Red Hat Enterprise Linux CoreOS 9.6.20251023-0 (Plow)' }, '2026-11-27'] as const),
    ...([0, 'has OpenShift support until 2027-04-21', '1.33'] as const),
  ],
])('every medium says the same of %s with %j on %s', async (version, more, day, exit, support, to) => {
  const { home, run } = await scanned(version, [{ version, ...more }], day)
  const gate = await run('gate check --fail-on kubernetes-eol')
  expect([gate.code, gate.stdout]).toEqual([exit, expect.stringContaining(support)])
  const text = await run('reports freshness')
  expect(text.stdout + text.stderr).toContain(support)
  const [kubelet] = JSON.parse((await run('reports freshness --json')).stdout).nodes.filter(
    ({ part }: { part: string }) => part === 'kubelet',
  )
  expect([kubelet.eol?.is_eol ?? null, kubelet.eol_unknown ?? '']).toEqual([
    exit === 6 ? null : exit === 5,
    exit === 6 ? support : '',
  ])
  expect((await run(`reports html --out ${join(home, 'page.html')}`)).code).toBe(0)
  const page = readFileSync(join(home, 'page.html'), 'utf8')
  const bare = (text: string) => text.replaceAll(/<[^>]+>|Kubernetes /g, '').replace(/^1\.\d+ /, '')
  expect([bare(page).includes(bare(support)), support]).toEqual([true, support])
  const { verdict: _, ...plan } = JSON.parse((await run('upgrade plan --to supported --json')).stdout)
  expect(plan.to).toBe(to)
})

test('pools of several offerings have their own ends, and a virtual kubelet has none', async () => {
  const kubelets = [
    { version: 'v1.34.1-eks-abc123' },
    { version: 'v1.33.1-eks-abc123' },
    { version: 'v1.34.1+k3s1' },
    { version: 'v1.25.0-vk-azure-aci-1.6.2' },
  ]
  const { run } = await scanned('v1.34.1-eks-abc123', kubelets, '2026-11-27')
  const { stdout } = await run('reports freshness --nodes')
  expect(stdout).toMatch(/Kubelet +v1\.34\.1-eks-abc123 +1 +EKS standard until 2026-12-02/)
  expect(stdout).toMatch(/Kubelet +v1\.33\.1-eks-abc123 +1 +EKS standard ended on 2026-07-29/)
  expect(stdout).toMatch(/Kubelet +v1\.34\.1\+k3s1 +1 +upstream ended on 2026-10-27/)
  expect(stdout).toMatch(/Kubelet +v1\.25\.0-vk-azure-aci-1\.6\.2 +1 +unknown/)
})

test('one node of Red Hat CoreOS does not make a cluster OpenShift', async () => {
  const vanilla = { version: 'v1.35.2' }
  const coreOs = { version: 'v1.35.2', osImage: 'Red Hat Enterprise Linux CoreOS 9.6.20251023-0 (Plow)' }
  const said = async (kubelets: Kubelet[]) =>
    (await (await scanned('v1.35.2', kubelets, '2026-11-27')).run('reports freshness')).stdout
  expect(await said([coreOs, vanilla, vanilla])).toContain('Kubernetes 1.35 has upstream support until 2027-02-28')
  expect(await said([coreOs, coreOs, vanilla])).toContain('OpenShift')
})

test('the way of a managed cluster ends where its offering does', async () => {
  const version = 'v1.35.1-eks-abc123'
  const { run } = await scanned(version, [{ version }], '2026-11-27')
  const plan = async (to: string) => JSON.parse((await run(`upgrade plan --to ${to} --json`)).stdout)
  const { to, hops } = await plan('latest')
  expect([to, hops[0].support_after.by, hops[0].support_after.date]).toEqual(['1.36', 'EKS', '2027-08-02'])
  const { items } = JSON.parse((await run('reports freshness --json')).stdout)
  const { steps } = items.find(({ artifact_type }: { artifact_type: string }) => artifact_type === 'kubernetes')
  expect(steps.newest?.version).toMatch(/^v1\.36\./)
})

test('no step leads where an offering does not', async () => {
  const version = 'v1.34.1-aliyun.1'
  const { run } = await scanned(version, [{ version }], '2026-11-27')
  const plan = async (to: string) => JSON.parse((await run(`upgrade plan --to ${to} --json`)).stdout)
  expect((await plan('latest')).to).toBe('1.34')
  const { verdict, reasons } = await plan('1.35')
  expect(verdict).toBe('undetermined')
  expect(reasons).toContainEqual(
    expect.objectContaining({ says: 'ACK listed no release of Kubernetes 1.35 on 2026-08-22.' }),
  )
  const { items } = JSON.parse((await run('reports freshness --json')).stdout)
  const { steps } = items.find(({ artifact_type }: { artifact_type: string }) => artifact_type === 'kubernetes')
  expect(steps.newest?.version).toMatch(/^v1\.34\./)
})
