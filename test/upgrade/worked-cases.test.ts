import { beforeAll, describe, expect, test } from 'vitest'
import type { UpgradeCheck } from '../../src/contract/upgrade.ts'
import { openService, type TestService } from '../operations/service.ts'

let service: TestService
beforeAll(async () => {
  const closers: (() => Promise<void>)[] = []
  service = await openService(':memory:', (close) => closers.push(close), { catalog: true })
  return async () => {
    for (const close of closers) await close()
  }
})

type Hop = readonly [kubernetes: string, to: string]

async function check([kubernetes, to]: Hop, ...parts: string[]): Promise<UpgradeCheck> {
  const named = parts.map((part) => {
    const [project_slug, version] = part.split('@') as [string, string]
    return { project_slug, version }
  })
  return service.call('checkUpgrade', { body: { kubernetes, to, parts: named } })
}

/** `before 1.34: 1.18.2 → 1.19.6` of each step. */
const stepsFor = ({ steps }: UpgradeCheck) =>
  steps.map(({ hop, when, from, via, to }) => `${when} ${hop}: ${[from, ...via, to].join(' → ')}`)

/** Judged by hand from the published tables: `docs/catalog.md` names them, and each answer its source. */
const cases: [what: string, hop: Hop, part: string, needs: string, to: string | null, steps: string[]][] = [
  // Supported to 1.33; 1.20 is for 1.32 to 1.35 and 1.21 for 1.33 to 1.36. Each minor version in turn is advised.
  [
    'cert-manager out of its range',
    ['1.35', '1.36'],
    'cert-manager@1.18.2',
    'upgrade_before',
    '1.21.1',
    ['before 1.36: 1.18.2 → 1.19.6 → 1.20.3 → 1.21.1'],
  ],
  ['cert-manager in its range', ['1.34', '1.35'], 'cert-manager@1.20.1', 'ok', null, []],
  [
    'cert-manager by the lowest line for both',
    ['1.33', '1.34'],
    'cert-manager@1.18.2',
    'upgrade_before',
    '1.19.6',
    ['before 1.34: 1.18.2 → 1.19.6'],
  ],
  // 1.26 and 1.27 end at 1.33; two minor versions at a time are allowed.
  [
    'Istio, revision by revision',
    ['1.33', '1.34'],
    'istio@1.26.3',
    'upgrade_before',
    '1.28.10',
    ['before 1.34: 1.26.3 → 1.28.10'],
  ],
  ['Istio over two minor versions', ['1.29', '1.30'], 'istio@1.20.3', 'upgrade_before', '1.22.8', []],
  ['Istio 1.29, which is for both', ['1.34', '1.35'], 'istio@1.29.0', 'ok', null, []],
  // Nothing newer than 1.20 is known, and tests prove nothing beyond.
  ['Cilium beyond what it is tested with', ['1.36', '1.37'], 'cilium@1.20.0', 'unknown', null, []],
  ['Cilium within', ['1.34', '1.35'], 'cilium@1.19.0', 'ok', null, []],
  [
    'Cilium by its next minor version',
    ['1.33', '1.34'],
    'cilium@1.18.1',
    'upgrade_before',
    '1.19.7',
    ['before 1.34: 1.18.1 → 1.19.7'],
  ],
  ['Argo CD 2 to 3', ['1.31', '1.32'], 'argo-cd@2.14.11', 'upgrade_before', '3.0.23', []],
  ['Argo CD 3', ['1.33', '1.34'], 'argo-cd@3.0.5', 'upgrade_before', '3.1.16', ['before 1.34: 3.0.5 → 3.1.16']],
  [
    'Argo CD up to the newest',
    ['1.35', '1.36'],
    'argo-cd@3.4.1',
    'upgrade_before',
    '3.5.1',
    ['before 1.36: 3.4.1 → 3.5.1'],
  ],
  ['Flux', ['1.33', '1.34'], 'flux@2.6.4', 'upgrade_before', '2.7.5', ['before 1.34: 2.6.4 → 2.7.5']],
  [
    'Flux with the stop that 2.7 requires',
    ['1.32', '1.34'],
    'flux@2.5.1',
    'upgrade_before',
    '2.7.5',
    ['before 1.33: 2.5.1 → 2.6.4 → 2.7.5'],
  ],
  // 1.0 is in its table from 1.0.5 on.
  [
    'Karpenter before the patch that its limit names',
    ['1.30', '1.31'],
    'karpenter@1.0.3',
    'upgrade_before',
    '1.0.14',
    ['before 1.31: 1.0.3 → 1.0.14'],
  ],
  ['Karpenter from that patch on', ['1.30', '1.31'], 'karpenter@1.0.6', 'ok', null, []],
  [
    'Karpenter above its limit',
    ['1.33', '1.34'],
    'karpenter@1.5.0',
    'upgrade_before',
    '1.6.8',
    ['before 1.34: 1.5.0 → 1.6.8'],
  ],
  [
    'Karpenter through 1.0',
    ['1.30', '1.31'],
    'karpenter@0.37.0',
    'upgrade_before',
    '1.0.14',
    ['before 1.31: 0.37.0 → 1.0.14'],
  ],
  // Charts state a minimum only.
  ['Longhorn', ['1.33', '1.34'], 'longhorn@1.9.0', 'unknown', null, []],
  ['Traefik 2', ['1.33', '1.34'], 'traefik@2.11.3', 'unknown', null, []],
  [
    'kube-prometheus-stack, by the major version of its chart',
    ['1.33', '1.34'],
    'kube-prometheus-stack@77.1.0',
    'unknown',
    null,
    [],
  ],
  [
    'Rook, each minor version',
    ['1.30', '1.31'],
    'rook@1.14.5',
    'upgrade_before',
    '1.15.9',
    ['before 1.31: 1.14.5 → 1.15.9'],
  ],
  ['Rook 1.20', ['1.35', '1.36'], 'rook@1.19.0', 'upgrade_before', '1.20.6', ['before 1.36: 1.19.0 → 1.20.6']],
  // The documentation of Rancher asks for each minor version, and 2.12 for Kubernetes 1.31.
  [
    'Rancher, each minor version',
    ['v1.30.4+rke2r1', '1.33'],
    'rancher@2.9.3',
    'upgrade_before',
    '2.11.16',
    ['before 1.31: 2.9.3 → 2.10.12 → 2.11.16', 'before 1.33: 2.11.16 → 2.12.12'],
  ],
  [
    'Istio over four minor versions of Kubernetes',
    ['1.29', '1.33'],
    'istio@1.21.2',
    'upgrade_before',
    '1.26.8',
    ['before 1.30: 1.21.2 → 1.23.6 → 1.25.5 → 1.26.8'],
  ],
  [
    'KubeVirt, for as many hops as each line goes with',
    ['1.28', '1.34'],
    'kubevirt@1.2.0',
    'upgrade_before',
    '1.4.1',
    ['before 1.30: 1.2.0 → 1.4.1', 'before 1.32: 1.4.1 → 1.6.6', 'before 1.34: 1.6.6 → 1.7.4'],
  ],
  // Its operator does not start on 1.33, although it states a minimum only.
  [
    'Strimzi before 0.45',
    ['1.27', '1.33'],
    'strimzi@0.38.0',
    'upgrade_before',
    '0.45.2',
    ['before 1.33: 0.38.0 → 0.45.2'],
  ],
  // An open end counts up to 1.36, the newest on the day of the source.
  ['Strimzi with ZooKeeper', ['1.33', '1.36'], 'strimzi@0.45.0', 'ok', null, []],
  ['Strimzi beyond the day of its source', ['1.36', '1.37'], 'strimzi@1.0.0', 'unknown', null, []],
  [
    'CloudNativePG in sequence',
    ['1.33', '1.34'],
    'cloudnative-pg@1.25.1',
    'upgrade_before',
    '1.28.4',
    ['before 1.34: 1.25.1 → 1.26.3 → 1.27.4 → 1.28.4'],
  ],
  ['Crossplane, which publishes no range', ['1.33', '1.34'], 'argo-workflows@3.6.0', 'unknown', null, []],
  [
    'external-secrets with v1beta1, paired with one minor version',
    ['1.32', '1.33'],
    'external-secrets@0.16.1',
    'upgrade_before',
    '0.17.0',
    ['after 1.33: 0.16.1 → 0.17.0'],
  ],
  [
    'external-secrets, each minor version',
    ['1.33', '1.34'],
    'external-secrets@0.18.2',
    'upgrade_before',
    '0.20.1',
    ['after 1.34: 0.18.2 → 0.19.2 → 0.20.1'],
  ],
  ['ingress-nginx, which is retired', ['1.35', '1.36'], 'ingress-nginx@1.14.5', 'unknown', null, []],
  [
    'cluster-autoscaler with its Kubernetes',
    ['1.33', '1.34'],
    'cluster-autoscaler@1.33.0',
    'upgrade_before',
    '1.34.5',
    ['after 1.34: 1.33.0 → 1.34.5'],
  ],
  ['cluster-autoscaler beyond its table', ['1.34', '1.35'], 'cluster-autoscaler@1.34.0', 'unknown', null, []],
  [
    'kube-state-metrics, hop by hop',
    ['1.33', '1.35'],
    'kube-state-metrics@2.17.0',
    'upgrade_before',
    '2.18.0',
    ['after 1.34: 2.17.0 → 2.18.0', 'after 1.35: 2.18.0 → 2.19.1'],
  ],
  ['descheduler', ['1.35', '1.36'], 'descheduler@0.35.1', 'upgrade_before', '0.36.0', ['after 1.36: 0.35.1 → 0.36.0']],
  ['Rancher within its required maximum', ['1.33', '1.35'], 'rancher@2.14.4', 'ok', null, []],
  [
    'Rancher above its required maximum',
    ['1.35', '1.36'],
    'rancher@2.14.4',
    'upgrade_before',
    '2.15.0',
    ['before 1.36: 2.14.4 → 2.15.0'],
  ],
  ['Rancher without a newer line', ['1.36', '1.37'], 'rancher@2.15.0', 'blocked', null, []],
  ['Linkerd without a newer line', ['1.35', '1.36'], 'linkerd@2.20.0', 'blocked', null, []],
  ['KEDA beyond what it is tested with', ['1.35', '1.36'], 'keda@2.20.0', 'unknown', null, []],
  ['KEDA', ['1.33', '1.35'], 'keda@2.18.3', 'upgrade_before', '2.20.2', ['before 1.34: 2.18.3 → 2.20.2']],
  ['a version above all known', ['1.33', '1.34'], 'keda@2.99.0', 'unknown', null, []],
  [
    'Linkerd, of whose lines the catalog lists no release',
    ['1.29', '1.30'],
    'linkerd@2.15.5',
    'upgrade_before',
    '2.17',
    ['before 1.30: 2.15.5 → 2.16 → 2.17'],
  ],
  ['Velero', ['1.33', '1.36'], 'velero@1.16.0', 'ok', null, []],
  // 3.0 to 3.5 state a minimum only, so that a step exists which nobody vouches for.
  ['ECK, whose newer lines state a minimum only', ['1.33', '1.34'], 'eck@2.16.1', 'unknown', null, []],
  ['Amazon VPC CNI before releases without a range', ['1.31', '1.32'], 'aws-vpc-cni@1.16.4', 'unknown', null, []],
  // Every release of 1.16 gains a critical advisory.
  [
    'Kyverno over a line with worse advisories',
    ['1.33', '1.34'],
    'kyverno@1.15.1',
    'upgrade_before',
    '1.17.2',
    ['before 1.34: 1.15.1 → 1.17.2'],
  ],
  // 2.4 is for both, and a line without a listed release is better than two steps.
  ['kgateway by a line that the catalog lacks', ['1.34', '1.36'], 'kgateway@2.1.0', 'upgrade_before', '2.4', []],
  // 1.18 is too new for 1.30 and no release is better.
  ['Kyverno below its minimum', ['1.29', '1.30'], 'kyverno@1.18.0', 'blocked', null, []],
  [
    'KEDA out of its range on a Kubernetes that stays',
    ['1.33', '1.33'],
    'keda@2.16.0',
    'upgrade_before',
    '2.18.3',
    ['before null: 2.16.0 → 2.18.3'],
  ],
  ['a project that nobody knows', ['1.33', '1.34'], 'shop-cart@1.0.0', 'unknown', null, []],
]

describe('one part', () => {
  test.each(cases)('%s', async (_, hop, part, needs, to, steps) => {
    const answer = await check(hop, part)
    expect(answer.parts).toMatchObject([{ needs, to_version: to }])
    if (steps.length > 0) expect(stepsFor(answer)).toEqual(steps)
    if (needs === 'ok') expect(answer.steps).toEqual([])
  })
})

test.each([
  // None of these may be left in one step, by their documentation.
  ['mongodb', '4.4.0', ['5.0.34', '6.0.29', '7.0.40', '8.0.29', '8.3.8']],
  ['elasticsearch', '7.10.0', ['7.17.29', '8.19.20', '9.5.2']],
  ['rabbitmq', '3.10.5', ['3.11.28', '3.12.14', '3.13.7', '4.2.9', '4.3.5']],
  // Directly from 3.15 on.
  ['calico', '3.14.1', ['3.15.5', '3.32.1']],
  ['calico', '3.15.0', ['3.32.1']],
  ['gitlab', '16.3.2', ['16.7.10', '16.11.10', '17.3.7', '17.5.5', '17.8.7', '17.11.7', '18.2.8', '18.5.7', '18.8.11']],
  ['mysql', '5.7.40', ['8.0.46', '8.4.11']],
  ['opensearch', '1.3.9', ['2.19.6']],
  ['nextcloud', '31.0.0', ['32.0.14', '33.0.8', '34.0.3']],
  // 0.17 is a stop, although it gains an advisory and is no step by itself.
  ['external-secrets', '0.14.4', ['0.15.1', '0.16.2', '0.17.0', '0.18.2', '0.19.2', '0.20.1']],
] as const)('%s %s goes through its required stops', async (project, version, through) => {
  const query = { project, version, ...(project === 'external-secrets' && { to: '0.20' }) }
  const { steps } = await service.call('getUpgradePath', { query })
  const names = steps.flatMap((step) => [...step.via, step.to])
  expect(names.filter((name) => through.includes(name as never))).toEqual(through)
})

test('a version on the way that the catalog lacks is named as the reason', async () => {
  const { to, because } = await service.call('getUpgradePath', { query: { project: 'temporal', version: '1.20.0' } })
  expect(to).toBeNull()
  expect(because).toEqual([
    expect.stringMatching(/^The catalog knows no newer good release of Temporal: the catalog lacks/),
  ])
})

test.each([
  ['temporal', '1.20.0', '1.21'],
  ['k3s', 'v1.30.1+k3s1', '1.31'],
])('of %s %s the version on the way that the catalog lacks is %s', async (project, version, missing) => {
  const { because } = await service.call('getUpgradePath', { query: { project, version } })
  expect(because[0]).toContain(`the catalog lacks ${missing}, which no way to`)
})

test('releases of a channel are no upgrade of a version that is none of it', async () => {
  const { to } = await service.call('getUpgradePath', { query: { project: 'linkerd', version: '2.14.0' } })
  expect(to).toBeNull()
})

const pathFor = (project: string, version: string, to?: string) =>
  service.call('getUpgradePath', { query: { project, version, ...(to !== undefined && { to }) } })

test.each([
  ['keda', '2.18.3', '2.18.3', 'KEDA is at 2.18.3 already.'],
  ['keda', '2.20.2', '2.20', 'The catalog knows no newer good release of KEDA 2.20.'],
  ['keda', '2.18.3', '2.10', '2.10 is older than 2.18.3, and this command shows upgrades only.'],
  ['keda', '2.18.3', '9', 'The catalog lists no release 9 of KEDA; the newest good one is 2.20.2.'],
])('says why %s does not go from %s to %s', async (project, version, to, says) => {
  const path = await pathFor(project, version, to)
  expect([path.to, path.because[0]]).toEqual([null, says])
})

test.each([
  [
    'trivy',
    '0.69.3',
    '0.69.4',
    /^The catalog knows no good release 0.69.4 .*attackers.*; 0.70.0 is the first without this fault\.$/,
  ],
  ['coredns', '1.11.1', '1.11.2', /the tag is gone .*; 1.11.3 is the first without this fault\.$/],
  ['argo-cd', '2.13.0', '2.14.0', /name an image that does not exist/],
])('says why %s does not go from %s to %s, which nobody should take', async (project, version, to, says) => {
  const path = await pathFor(project, version, to)
  expect(path.to).toBeNull()
  expect(path.because[0]).toMatch(says)
})

test('the way of Kubernetes itself says that it does not lead back, and whose patches it names', async () => {
  const { steps } = await pathFor('kubernetes', 'v1.33.1-eks-abc123', '1.34')
  expect(steps).toMatchObject([
    { irreversible: true, way_back: 'A control plane does not go to an older minor version.' },
  ])
  expect(steps[0]!.manual[0]).toContain('EKS publishes patches of its own')
})

test.each([
  ['kured', '4.7.0', '4.7.0 is newer than the newest release in the catalog, 1.23.0.'],
  ['ingress-nginx', '1.15.1', expect.stringContaining('maintenance ended in March 2026')],
  ['linkerd', 'stable-2.14.0', expect.stringContaining('no open source stable images')],
  ['opentelemetry-operator', '1.51.0', expect.stringContaining('A mistaken number')],
  ['grafana/promtail', '2.9.0', expect.stringContaining('End of life on 2 March 2026')],
  ['bitnami/redis', '7.4.2', expect.stringContaining('Versioned tags were moved to bitnamilegacy')],
])('says what became of %s %s, which goes nowhere', async (project, version, says) => {
  const path = await pathFor(project, version)
  expect(path.to).toBeNull()
  expect(path.because).toContainEqual(says)
})

test.each([
  [['4.17.3', '4.18'], ['1.30', '1.31'], 'upgrade_before'],
  [['v4.20.1', '4.21'], ['1.33', '1.34'], 'upgrade_before'],
  [['4.18.0', '4.19'], ['1.31', '1.32'], 'ok'],
] as const)('OpenShift %j is Kubernetes %j', async (hop, [from, to], needs) => {
  const answer = await check(hop, from === '1.30' ? 'keda@2.15.0' : 'keda@2.18.3')
  expect(answer).toMatchObject({ verdict: 'ready', kubernetes: hop[0], from, to, parts: [{ needs }] })
  const rules = answer.hops.flatMap((one) => one.rules.map(({ says }) => says))
  expect(rules).toContain('Every minor update is serial; none can be skipped.')
})

test.each([
  ['1.28', '1.29', 'flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema', 'flowcontrol.apiserver.k8s.io/v1 FlowSchema'],
  ['1.33', '1.34', 'resource.k8s.io/v1alpha3 ResourceClaim', 'resource.k8s.io/v1 ResourceClaim'],
  // The one after it is not served yet.
  ['1.31', '1.32', 'coordination.k8s.io/v1alpha1 LeaseCandidate', 'coordination.k8s.io/v1alpha2 LeaseCandidate'],
])('from %s to %s %s is replaced by %s', async (from, to, removed, replacement) => {
  const { hops } = await check([from, to], 'keda@2.18.3')
  const found = hops[0]!.removed_apis.find((api) => `${api.group}/${api.version} ${api.kind}` === removed)
  expect(found?.replacement).toBe(replacement)
})

test.each([
  ['strimzi', '0.40.0', '1.0', 'At 0.45: Last minor with ZooKeeper and MirrorMaker 1: migrate to KRaft there.'],
  ['keycloak', '24.0.5', '26', 'At 25.0: Go to 25 with persistent sessions first, else all user sessions are lost.'],
  ['istio', '1.20.3', '1.22', 'Revision-based upgrades may cross two minors; in-place ones only one.'],
])('the way of %s from %s to %s says what its rules ask for', async (project, version, to, note) => {
  const { steps } = await pathFor(project, version, to)
  expect(steps.flatMap(({ manual }) => manual)).toContain(note)
  const facts = steps.flatMap(({ evidence }) => evidence).filter(({ kind }) => kind === 'rule')
  expect(facts.map(({ says }) => note.endsWith(says))).toContain(true)
  expect(facts.every(({ source }) => source?.startsWith('https://'))).toBe(true)
})

test.each([
  ['ingress-nginx', '4.12.1', '1.12.1', 'upgrade_before', '1.14.5'],
  ['external-dns', '1.14.3', '0.14.0', 'upgrade_before', '0.18.0'],
  ['metrics-server', 'v3.12.1', '0.7.1', 'ok', null],
  // A chart with the versions of its app.
  ['karmada', '1.13.0', '1.13.0', 'upgrade_before', '1.16.8'],
  // The project's own version counts first.
  ['argo-cd', '3.0.5', '3.0.5', 'upgrade_before', '3.1.16'],
])('%s %s is %s, by its chart or itself', async (project, version, runs, needs, to_version) => {
  const { parts } = await check(['1.33', '1.34'], `${project}@${version}`)
  expect(parts).toMatchObject([{ current_version: runs, needs, to_version }])
  const notes = parts[0]!.evidence.filter(({ says }) => says.startsWith(`${version} is a version of the chart`))
  expect(notes).toHaveLength(runs === version ? 0 : 1)
  const path = await pathFor(project, version)
  expect([path.from, path.because.length]).toEqual([runs, runs === version ? 0 : expect.any(Number)])
})

test('refuses a target that is no version', async () => {
  await expect(pathFor('keda', '2.18.3', 'newest')).rejects.toMatchObject({ params: { to: expect.any(String) } })
  expect((await pathFor('keda', '2.18.3', 'latest')).to).toBe('2.20.2')
})

test.each([
  ['ghcr.io/kedacore/keda', 'keda'],
  ['kedacore/keda', 'keda'],
  ['quay.io/jetstack/cert-manager-controller', 'cert-manager'],
  ['aws-ebs-csi-driver', 'aws-ebs-csi-driver'],
  ['registry.example/somebody/keda', undefined],
])('%s means %s', async (typed, slug) => {
  const { parts } = await check(['1.33', '1.34'], `${typed}@1.2.3`)
  expect(parts[0]!.project_slug).toBe(slug ?? typed)
})

test('lines in the range without a good release are named where no other line is left', async () => {
  const { parts } = await check(['1.27', '1.28'], 'argo-cd@2.8.21')
  expect(parts[0]!.needs).toBe('unknown')
  const passed = parts[0]!.evidence.filter(({ kind }) => kind === 'advisory').map(({ says }) => says)
  expect(passed.map((says) => says.split(' is passed over')[0])).toEqual(
    ['2.9', '2.10', '2.11', '2.12', '2.13'].map((line) => `Argo CD ${line}`),
  )
})

test('stops on the way to later versions are in the answer of a part', async () => {
  const { parts, steps } = await check(['1.33', '1.36'], 'cloudnative-pg@1.27.0', 'external-secrets@1.3.0')
  for (const { project_slug, via, to_version, later_versions = [] } of parts) {
    const own = steps.filter((step) => step.project_slug === project_slug)
    expect([...via, to_version, ...later_versions]).toEqual(own.flatMap((step) => [...step.via, step.to]))
    expect(own.length).toBeGreaterThan(1)
  }
})

test('versions for later hops are in the answer of a part', async () => {
  const { parts } = await check(['1.30', '1.33'], 'argo-cd@2.11.7', 'keda@2.18.3')
  expect(parts.map(({ to_version, later_versions }) => [to_version, later_versions])).toEqual([
    ['3.0.23', ['3.1.16']],
    [null, undefined],
  ])
})

describe('a verdict', () => {
  const verdictFor = async (hop: Hop, ...parts: string[]) => (await check(hop, ...parts)).verdict

  test('of a cluster with cluster-autoscaler, kube-state-metrics and an unknown app is a warning', async () => {
    for (const hop of [
      ['1.33', '1.34'],
      ['1.34', '1.36'],
      ['1.29', '1.36'],
    ] as const) {
      const [, minor] = hop[0].split('.')
      const parts = [`cluster-autoscaler@1.${minor}.0`, `kube-state-metrics@2.17.0`, 'shop-cart@1.0.0']
      expect(await verdictFor(hop, ...parts)).toBe('warnings')
    }
  })

  test('is ready where every part has its range or a step into it', async () => {
    expect(await verdictFor(['1.33', '1.35'], 'keda@2.18.3', 'rancher@2.14.4', 'cert-manager@1.18.2')).toBe('ready')
  })

  test('is blocked by a required maximum and by a stated end of support', async () => {
    expect(await verdictFor(['1.36', '1.37'], 'rancher@2.15.0', 'shop-cart@1')).toBe('blocked')
    expect(await verdictFor(['1.35', '1.36'], 'linkerd@2.20.0')).toBe('blocked')
  })

  test('cannot be determined with an operator of which nothing is published, or without a version of Kubernetes', async () => {
    expect(await verdictFor(['1.33', '1.34'], 'argo-workflows@3.6.0')).toBe('undetermined')
    expect(await verdictFor(['1.33', '1.34'], 'keda@2.99.0')).toBe('undetermined')
    expect(await verdictFor(['1.33', '1.34'], 'eck@2.16.1')).toBe('undetermined')
    expect(await verdictFor(['next week', '1.34'], 'velero@1.16.0')).toBe('undetermined')
  })

  test('is a warning where only a minimum is stated', async () => {
    expect(await verdictFor(['1.33', '1.34'], 'longhorn@1.9.0', 'metallb@0.14.8')).toBe('warnings')
  })

  test('of a way down is blocked', async () => {
    expect(await check(['1.35', '1.33'], 'velero@1.16.0')).toMatchObject({
      verdict: 'blocked',
      hops: [],
      steps: [],
      reasons: [{ says: 'There is no way from Kubernetes 1.35 down to 1.33.' }],
    })
  })
})

describe('a step', () => {
  test('says what breaks, what must be done by hand, and which API versions go', async () => {
    const rook = (await check(['1.33', '1.36'], 'rook@1.18.1')).steps
    expect(rook[0]!.manual).toContainEqual(expect.stringMatching(/Ceph must reach 19\.2/))
    const [external] = (await check(['1.32', '1.33'], 'external-secrets@0.16.1')).steps
    expect(external!.breaks).toMatchObject([{ version: '0.17', action: 'Move every manifest to v1 on 0.16 first.' }])
    expect(external!.removed_apis.map(({ version, kind }) => `${version} ${kind}`)).toContain('v1beta1 ExternalSecret')
  })

  test('says of a project without collected changes that they are not collected', async () => {
    const [step] = (await check(['1.35', '1.36'], 'rancher@2.14.4')).steps
    expect(step!.breaks).toBeNull()
  })

  test('names the successor of what is retired', async () => {
    const { parts } = await check(['1.35', '1.36'], 'ingress-nginx@1.14.5')
    expect(parts[0]!.evidence).toContainEqual(expect.objectContaining({ kind: 'retired' }))
  })
})

describe('the way of one project', () => {
  const toPath = (project: string, version: string, to: string) =>
    service.call('getUpgradePath', { query: { project, version, to } })
  const way = ({ from, steps }: Awaited<ReturnType<typeof toPath>>) => [from, ...steps.map(({ to }) => to)]
  const saidIn = ({ steps }: Awaited<ReturnType<typeof toPath>>) =>
    steps.flatMap(({ breaks }) => (breaks ?? []).map(({ version, what }) => `${version} ${what}`)).join('\n')

  // Every minor version of Crossplane in turn; 2.0 drops what 1.20 had deprecated.
  test('Crossplane 1 to 2', async () => {
    const path = await toPath('crossplane', '1.20.1', '2')
    expect(way(path).slice(0, 2)).toEqual(['1.20.1', '2.0.8'])
    expect(saidIn(path)).toMatch(/2\.0 Native patch-and-transform compositions are gone/)
    expect(path.steps[0]!.removed_apis.map(({ kind }) => kind)).toContain('ControllerConfig')
  })

  test('Traefik 2 to 3', async () => {
    const path = await toPath('traefik', '2.11.3', '3.7')
    expect(way(path)).toHaveLength(2)
    expect(saidIn(path)).toMatch(/3\.0 The traefik\.containo\.us API group is gone/)
    expect(saidIn(path)).toMatch(/3\.7 Gateway API support needs the CRDs/)
  })

  test('kube-prometheus-stack over majors, each with its CRDs', async () => {
    const path = await toPath('kube-prometheus-stack', '77.1.0', '80')
    expect(saidIn(path).match(/new CRDs/g)).toHaveLength(2)
  })

  test('Strimzi with ZooKeeper, which leaves on 0.45 before 0.46', async () => {
    const path = await toPath('strimzi', '0.45.0', '1.0')
    expect(way(path)[1]).toMatch(/^0\.51\./)
    expect(saidIn(path)).toMatch(/0\.46 ZooKeeper-based clusters .* are removed/)
    expect(saidIn(path)).toMatch(/1\.0 Only API v1 remains/)
  })

  test('Longhorn, minor by minor and never back', async () => {
    const path = await toPath('longhorn', '1.7.0', '1.10')
    expect(way(path).map((version) => version.split('.')[1])).toEqual(['7', '8', '9', '10'])
    expect(path.steps[0]).toMatchObject({ irreversible: true })
  })

  test('external-secrets through 0.16, on which v1beta1 can be left', async () => {
    expect(way(await toPath('external-secrets', '0.15.0', '0.17'))).toEqual(['0.15.0', '0.16.2', '0.17.0'])
  })

  test('to a version that nobody released cannot be made', async () => {
    expect(await toPath('keda', '2.18.3', '9.9')).toMatchObject({ to: null, steps: [] })
  })
})

describe('the plan of a cluster', () => {
  const image = (fullRef: string, name: string) => ({
    fullRef,
    namespace: name,
    workloadKind: 'Deployment',
    workloadName: name,
  })
  const report = (version: string | null, images: object[], provider = 'EKS') => ({
    metadata: { ...(version && { kubernetesVersion: version }), clusterName: 'shop', aks: provider },
    artifacts: { images, helmCharts: [] },
    checks: {},
  })

  async function plan(uploaded: object, to?: string, cluster_name = 'shop') {
    const { run_id: _ } = await service.upload([], {
      report: uploaded,
      body: { cluster: { name: cluster_name, environment: 'prod' } },
    })
    return service.call('getUpgradePlan', { query: { cluster_name, ...(to && { to }) } })
  }

  test('moves add-ons, Kubernetes and nodes in order', async () => {
    const images = [
      image('ghcr.io/kedacore/keda:2.18.3', 'keda'),
      image('registry.k8s.io/kube-state-metrics/kube-state-metrics:v2.17.0', 'monitoring'),
      image('registry.example.com/shop/cart:1.0', 'shop'),
    ]
    const answer = await plan(report('v1.33.10', images), '1.35', 'ordered')
    expect(answer.verdict).toBe('warnings')
    expect(answer.steps.map(({ hop, when, project_slug, to }) => `${hop} ${when} ${project_slug} ${to}`)).toEqual([
      '1.34 before keda 2.20.2',
      '1.34 kubernetes kubernetes v1.34.11',
      '1.34 nodes kubernetes 1.34',
      '1.34 after kube-state-metrics v2.18.0',
      '1.35 kubernetes kubernetes v1.35.8',
      '1.35 nodes kubernetes 1.35',
      '1.35 after kube-state-metrics v2.19.1',
    ])
    expect(answer.basis).toMatchObject({ cluster_name: 'ordered', artifacts: 4, parts: 2, unknown: 1 })
    expect(answer.hops[0]).toMatchObject({
      from: '1.33',
      to: '1.34',
      version: 'v1.34.11',
      support_before: { is_eol: true },
    })
  })

  test('takes images of the control plane for the cluster itself, and for no part of it', async () => {
    const own = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy']
    const images = [
      ...own.map((name) => image(`registry.k8s.io/${name}:v1.33.4`, 'kube-system')),
      image('registry.k8s.io/etcd:3.5.21-0', 'kube-system'),
      image('registry.k8s.io/coredns/coredns:v1.12.0', 'kube-system'),
    ]
    const answer = await plan(report('v1.33.4', images, 'kubernetes'), '1.34', 'kubeadm')
    expect([answer.verdict, answer.parts]).toEqual(['warnings', []])
    const asked = await check(['1.33', '1.34'], 'kubernetes@1.33.4')
    expect(asked.parts[0]!.evidence[0]!.says).toBe('Kubernetes is what this upgrades, and no part of it.')
  })

  test('reads the version of a chart where no image says one and both are the same, and of no other chart', async () => {
    const charts = [
      { name: 'cert-manager', version: 'v1.16.5', releaseName: 'cert-manager', releaseNamespace: 'pki' },
      { name: 'velero', version: '12.1.0', releaseName: 'velero', releaseNamespace: 'backup' },
    ]
    const uploaded = { ...report('v1.32.9', []), artifacts: { images: [], helmCharts: charts } }
    const answer = await plan(uploaded, '1.34', 'charts')
    const parts = answer.parts.map(({ project_slug, needs, current_version, to_version }) => {
      return `${project_slug} ${needs} ${current_version} ${to_version}`
    })
    expect(parts).toEqual(['cert-manager upgrade_before v1.16.5 v1.19.6', 'velero unknown 12.1.0 null'])
    expect(answer.verdict).toBe('undetermined')
    expect(answer.reasons.map(({ says }) => says)).toContain(
      'Ranges are about versions of Velero itself, and only that of its chart is known: 12.1.0.',
    )
  })

  test('keeps the rules of its offering', async () => {
    const answer = await plan(report('v1.33.10-eks-ba2e9a1', []), undefined, 'on-eks')
    expect(answer.to).toBe('1.34')
    const kubernetes = answer.steps.find(({ kind }) => kind === 'kubernetes')!
    expect(kubernetes).toMatchObject({
      irreversible: true,
      way_back: 'A cluster cannot go back; make a new one and move.',
    })
    expect(answer.steps.find(({ kind }) => kind === 'nodes')!.why[0]).toMatch(/^Three minors from Kubernetes 1.28 on/)
  })

  test('names releases of k3s, and says where an offering has its own', async () => {
    const onK3s = await plan(report('v1.33.4+k3s1', [], 'k3s'), '1.34', 'on-k3s')
    expect(onK3s.hops[0]!.version).toMatch(/^v1\.34\.\d+\+k3s\d$/)
    const onRke2 = await plan(report('v1.33.4+rke2r1', [], 'rke2'), '1.34', 'on-rke2')
    expect(onRke2.hops[0]!.version).toMatch(/^v1\.34\.\d+\+rke2r\d$/)
    const [kubernetes] = onRke2.steps
    expect(kubernetes!.manual).toEqual([])
    const onEks = await plan(report('v1.33.4-eks-abc123', [], 'eks'), '1.34', 'on-eks')
    expect(onEks.hops[0]!.version).toBeNull()
    expect(onEks.steps[0]!.manual).toEqual([expect.stringMatching(/EKS publishes patches of its own/)])
    expect(kubernetes!.evidence).toContainEqual(
      expect.objectContaining({ says: expect.stringMatching(/^rke2 ships /) }),
    )
  })

  test('takes a pinned fork for no release of its project', async () => {
    const images = [
      image('registry.example.com/forks/keda:2.18.3-acme.1', 'keda'),
      image(`registry.example.com/forks/our-keda@sha256:${'a'.repeat(64)}`, 'keda'),
    ]
    const answer = await plan(report('v1.33.10', images), '1.34', 'forked')
    expect(answer.verdict).toBe('warnings')
    expect(answer.parts.filter(({ needs }) => needs === 'ok')).toEqual([])
  })

  test('is about the named projects alone, and refuses those that do not run', async () => {
    const images = [image('ghcr.io/kedacore/keda:2.18.3', 'keda'), image('example.com/shop/cart:1.0', 'shop')]
    await plan(report('v1.33.4', images), '1.34', 'named')
    const of = (projects: string) =>
      service.call('getUpgradePlan', { query: { cluster_name: 'named', to: '1.34', projects } })
    expect((await of('keda')).parts.map(({ project_slug }) => project_slug)).toEqual(['keda'])
    await expect(of('rancher')).rejects.toThrow('rancher is no part of the cluster')
  })

  test('is undetermined without an inventory or a version', async () => {
    expect((await plan(report(null, []), '1.34', 'unversioned')).verdict).toBe('undetermined')
    expect((await plan(report('v1.33.4', []), '1.34', 'empty')).verdict).toBe('undetermined')
  })

  test('is asked for by a name where there are several clusters', async () => {
    await expect(service.call('getUpgradePlan', {})).rejects.toThrow('Several clusters could be meant.')
    await expect(service.call('getUpgradePlan', { query: { cluster_name: 'nowhere' } })).rejects.toThrow('nowhere')
  })
})
