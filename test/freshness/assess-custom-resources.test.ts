import { expect, test } from 'vitest'
import { type AssessedItem, assessCustomResources } from '../../src/freshness/index.ts'
import type { Artifacts, DefinedResource, UsedApi } from '../../src/reports/artifact.ts'

const mark = 'app.kubernetes.io/version'

function defined(name: string, more: Partial<DefinedResource> = {}): DefinedResource {
  const versions = [{ name: 'v1', served: true, storage: true, deprecated: false }]
  return {
    name,
    group: name.split('.').slice(1).join('.'),
    kind: 'Thing',
    versions,
    stored: ['v1'],
    version: null,
    versionFrom: null,
    chart: null,
    release: null,
    appliedBy: null,
    controller: null,
    ...more,
  }
}

const image = (slug: string, shortName: string, currentVersion: string | null) =>
  ({ type: 'image', match: { project: { slug } }, shortName, currentVersion }) as unknown as AssessedItem

interface Around {
  images?: AssessedItem[]
  charts?: Artifacts['charts']
  apis?: UsedApi[]
}

function assess(one: DefinedResource, { images = [], charts = [], apis = [] }: Around = {}) {
  const artifacts = { images: [], apps: [], kubernetesVersion: null, imageSource: 'artifacts' as const }
  return assessCustomResources({ ...artifacts, charts, apis, customResources: [one] }, images)![0]!
}

const certManager = (version: string, more: Partial<DefinedResource> = {}) =>
  defined('issuers.cert-manager.io', { version, versionFrom: mark, ...more })
const controller = (version: string | null) =>
  image('cert-manager', 'quay.io/jetstack/cert-manager-controller', version)

test.each([
  ['v1.14.4', ['v1.15.3'], 'older', 'v1.15.3'],
  ['v1.15.3', ['v1.15.3'], 'equal', 'v1.15.3'],
  ['1.15.3', ['v1.15.3'], 'equal', 'v1.15.3'],
  ['v1.16.0', ['v1.15.3'], 'newer', 'v1.15.3'],
  ['v1.14.4', ['v1.15.3', 'v1.16.0'], 'older', 'v1.16.0'],
  ['v1.15.3-alpha.1', ['v1.15.3'], 'older', 'v1.15.3'],
  // During a rollout, and where the tag or the label says less than a version.
  ['v1.15.3', ['v1.15.3', 'v1.16.0'], 'unknown', 'v1.15.3'],
  ['v1.15', ['v1.15.3'], 'unknown', 'v1.15.3'],
  ['v1.14.4', ['v1'], 'unknown', 'v1'],
  ['v1.14.4', [null], 'unknown', null],
  ['v1.14.4', [], 'unknown', null],
])('a definition of %s beside controllers of %j is %s', (version, running, state, of) => {
  const found = assess(certManager(version), { images: running.map(controller) })
  expect(found).toMatchObject({ state, controller_version: of })
  expect(found.unknown_because !== null).toBe(state === 'unknown')
  expect(found.step !== null).toBe(state === 'older')
})

test('another image of the project is not its controller', () => {
  const images = [image('cert-manager', 'quay.io/jetstack/cert-manager-acmesolver', 'v1.15.3')]
  expect(assess(certManager('v1.14.4'), { images }).state).toBe('unknown')
})

test('each project has its step', () => {
  expect(assess(certManager('v1.14.4'), { images: [controller('v1.15.3')] }).step).toBe(
    'kubectl apply -f https://github.com/cert-manager/cert-manager/releases/download/v1.15.3/cert-manager.crds.yaml',
  )
  const prometheus = defined('servicemonitors.monitoring.coreos.com', {
    version: '0.68.0',
    versionFrom: 'operator.prometheus.io/version',
  })
  const images = [image('prometheus-operator', 'quay.io/prometheus-operator/prometheus-operator', 'v0.72.0')]
  expect(assess(prometheus, { images }).step).toBe(
    'kubectl apply --server-side -f https://raw.githubusercontent.com/prometheus-operator/prometheus-operator/v0.72.0/example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
  )
})

test('what applied a definition applies it again', () => {
  const images = [controller('v1.15.3')]
  const step = (more: Partial<DefinedResource>) => assess(certManager('v1.14.4', more), { images }).step
  expect(step({ appliedBy: 'HelmRelease cm/cert-manager' })).toContain(
    'Set spec.upgrade.crds to CreateReplace in the HelmRelease cm/cert-manager',
  )
  expect(step({ appliedBy: 'Application cm' })).toContain('where git has it: the Application cm applies it')
  expect(step({ release: { name: 'cm', namespace: 'cert-manager' } })).toContain(
    'Upgrade the Helm release cm in cert-manager',
  )
})

test('no command is made of a version that is no release', () => {
  const { state, step } = assess(certManager('v1.14.4'), { images: [controller('v1.15.3-corp.1')] })
  expect(state).toBe('older')
  expect(step).not.toContain('kubectl')
})

test('Gateway API has controllers of several projects, so its bundle is not compared', () => {
  const gateway = defined('gateways.gateway.networking.k8s.io', {
    version: 'v1.0.0',
    versionFrom: 'gateway.networking.k8s.io/bundle-version',
  })
  expect(assess(gateway)).toMatchObject({
    state: 'unknown',
    unknown_because: 'controllers of several projects support it',
  })
})

test('labels of workloads and charts of the same name are compared where nothing else is known', () => {
  const label = { version: '3.1.0', versionFrom: mark }
  const workload = { name: 'Deployment kyverno/kyverno', version: '3.2.6' }
  expect(assess(defined('policies.kyverno.io', { ...label, controller: workload }))).toMatchObject({
    state: 'older',
    controller: 'Deployment kyverno/kyverno',
    controller_version: '3.2.6',
  })
  const chart = { name: 'linkerd-crds', version: '1.8.0' }
  const running = { name: 'linkerd-crds', version: '1.8.1', release: null, namespace: 'linkerd', workload: null }
  expect(assess(defined('a.linkerd.io', { chart }), { charts: [running] })).toMatchObject({
    state: 'older',
    version: '1.8.0',
    version_from: 'helm.sh/chart',
    controller: 'chart linkerd-crds',
  })
  const other = { ...running, name: 'linkerd-control-plane' }
  expect(assess(defined('a.linkerd.io', { chart }), { charts: [other] }).state).toBe('unknown')
})

test('a definition that states no version is not judged', () => {
  expect(assess(defined('applications.argoproj.io'))).toMatchObject({
    state: 'unknown',
    unknown_because: 'it does not state its version',
    step: null,
  })
})

test('deprecated and unserved versions in use are named with what says so', () => {
  const versions = [
    { name: 'v1', served: true, storage: true, deprecated: false },
    { name: 'v1beta1', served: true, storage: false, deprecated: true },
    { name: 'v1alpha1', served: false, storage: false, deprecated: false },
    { name: 'v2beta1', served: true, storage: false, deprecated: true },
  ]
  const one = defined('things.x.io', { versions, stored: ['v1alpha1', 'v1'] })
  const use = (version: string, by: UsedApi['by'], kind = 'Thing', group = 'x.io') => ({
    group,
    version,
    kind,
    by,
    users: [],
    count: 1,
  })
  const apis = [
    use('v1beta1', 'metrics', 'things'),
    use('v1beta1', 'managedFields'),
    use('v2beta1', 'metrics', 'others'),
  ]
  expect(assess(one, { apis }).deprecated_in_use).toEqual([
    { version: 'v1alpha1', by: ['storedVersions'] },
    { version: 'v1beta1', by: ['metrics', 'managedFields'] },
  ])
})
