import { expect, test } from 'vitest'
import { InventoryBuilder } from '../../src/scan/inventory-builder.ts'
import { takeObject } from '../../src/scan/inventory-sources.ts'

type Marks = { labels?: Record<string, string>; annotations?: Record<string, string> }

const definition = (name: string, marks: Marks = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name, ...marks },
  spec: {
    group: name.split('.').slice(1).join('.'),
    names: { kind: 'Thing', plural: name.split('.')[0] },
    versions: [
      { name: 'v1', served: true, storage: true },
      { name: 'v1beta1', served: true, storage: false, deprecated: true },
    ],
  },
  status: { storedVersions: ['v1beta1', 'v1'] },
})

const deployment = (name: string, labels: Record<string, string>) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'system', labels },
  spec: { template: { spec: { containers: [{ name: 'main', image: 'example.org/own:1' }] } } },
})

function inventoryFor(...items: unknown[]) {
  const builder = new InventoryBuilder()
  for (const item of items) if (!takeObject(item, builder)) builder.add(item)
  return builder.finish().customResources
}

test('a definition is taken with its versions and the version that its project states', () => {
  const labels = { 'app.kubernetes.io/version': 'v1.14.4', 'helm.sh/chart': 'cert-manager-v1.14.4' }
  const annotations = { 'meta.helm.sh/release-name': 'cm', 'meta.helm.sh/release-namespace': 'cert-manager' }
  expect(inventoryFor(definition('issuers.cert-manager.io', { labels, annotations }))).toEqual([
    {
      name: 'issuers.cert-manager.io',
      group: 'cert-manager.io',
      kind: 'Thing',
      versions: [
        { name: 'v1', served: true, storage: true, deprecated: false },
        { name: 'v1beta1', served: true, storage: false, deprecated: true },
      ],
      stored: ['v1beta1', 'v1'],
      version: 'v1.14.4',
      versionFrom: 'app.kubernetes.io/version',
      chartName: 'cert-manager',
      chartVersion: 'v1.14.4',
      releaseName: 'cm',
      releaseNamespace: 'cert-manager',
      appliedBy: null,
      controller: null,
      controllerVersion: null,
    },
  ])
})

test('the version of a generator is not the version of the project', () => {
  const annotations = { 'controller-gen.kubebuilder.io/version': 'v0.14.0' }
  const [found] = inventoryFor(definition('a.x.io', { annotations })) ?? []
  expect(found).toMatchObject({ version: null, versionFrom: null })
})

test('a text that is no version is none', () => {
  const labels = { 'pipeline.tekton.dev/release': 'devel' }
  expect(inventoryFor(definition('tasks.tekton.dev', { labels }))?.[0]).toMatchObject({ version: null })
})

test('a definition that is listed again counts once, and an inventory without definitions has none', () => {
  expect(inventoryFor(definition('a.x.io'), definition('a.x.io'))).toHaveLength(1)
  expect(inventoryFor(deployment('web', {}))).toBeUndefined()
})

test.each([
  ['part-of', { 'app.kubernetes.io/part-of': 'kyverno' }, { 'app.kubernetes.io/part-of': 'kyverno' }],
  ['name', { 'app.kubernetes.io/name': 'knative-serving' }, { 'app.kubernetes.io/name': 'knative-serving' }],
])('workloads whose label %s names the same project are its controllers', (_, own, of) => {
  const version = { 'app.kubernetes.io/version': '3.1.0' }
  const raised = { ...of, 'app.kubernetes.io/version': '3.2.6' }
  const crd = definition('a.x.io', { labels: { ...own, ...version } })
  const found = inventoryFor(crd, deployment('one', raised), deployment('two', raised))?.[0]
  expect(found).toMatchObject({ controller: 'Deployment system/one', controllerVersion: '3.2.6' })
  const mixed = inventoryFor(crd, deployment('one', raised), deployment('two', { ...of, ...version }))?.[0]
  expect(mixed).toMatchObject({ controller: null, controllerVersion: null })
})

test.each<[string, Marks, string]>([
  [
    'a HelmRelease',
    { labels: { 'helm.toolkit.fluxcd.io/name': 'kps', 'helm.toolkit.fluxcd.io/namespace': 'monitoring' } },
    'HelmRelease monitoring/kps',
  ],
  [
    'a Kustomization',
    { labels: { 'kustomize.toolkit.fluxcd.io/name': 'crds', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' } },
    'Kustomization flux-system/crds',
  ],
  [
    'an Application by its tracking id',
    { annotations: { 'argocd.argoproj.io/tracking-id': 'cm:apiextensions.k8s.io/CustomResourceDefinition:/a.x.io' } },
    'Application cm',
  ],
  ['an Application by its label', { labels: { 'argocd.argoproj.io/instance': 'cm' } }, 'Application cm'],
  ['an Application by the instance', { labels: { 'app.kubernetes.io/instance': 'cm' } }, 'Application cm'],
])('%s applies a definition', (_, marks, expected) => {
  const application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'cm', namespace: 'argocd' },
    spec: { source: { chart: 'cert-manager', repoURL: 'https://charts.jetstack.io', targetRevision: 'v1.14.4' } },
  }
  expect(inventoryFor(definition('a.x.io', marks), application)?.[0]?.appliedBy).toBe(expected)
})

test('an instance without an Application of its name says nothing', () => {
  const labels = { 'app.kubernetes.io/instance': 'cm' }
  expect(inventoryFor(definition('a.x.io', { labels }))?.[0]?.appliedBy).toBeNull()
})

test.each([
  null,
  {},
  { metadata: { name: 'a.x.io' }, spec: [] },
  { metadata: { name: 'a.x.io' }, spec: { group: 1, names: null } },
])('what is no definition is left out: %j', (broken) => {
  const item = { ...broken, apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }
  expect(inventoryFor(item)).toEqual([])
})
