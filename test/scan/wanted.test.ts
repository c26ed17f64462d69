import { describe, expect, test } from 'vitest'
import { InventoryBuilder } from '../../src/scan/inventory-builder.ts'

import { pod, takeObject } from './cluster.ts'

function build(objects: object[]) {
  const builder = new InventoryBuilder()
  for (const object of objects) takeObject(object, builder)
  return builder.finish()
}

const argo = 'argoproj.io/v1alpha1'
const chartSource = { repoURL: 'https://charts.jetstack.io', chart: 'cert-manager', targetRevision: 'v1.15.3' }
const application = (spec: object, status: object = {}) => ({
  apiVersion: argo,
  kind: 'Application',
  metadata: { name: 'cert-manager', namespace: 'argocd' },
  spec: { destination: { namespace: 'cert-manager' }, ...spec },
  status,
})
const flux = (apiVersion: string, kind: string, name: string, spec: object, status: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'flux-system' },
  spec,
  status,
})

const wantedOf = (...objects: object[]) => build(objects).wanted ?? []

describe('an Application of Argo CD', () => {
  test('wants a chart, and says what it last installed', () => {
    const history = [{ revision: 'v1.14.0' }, { revision: 'v1.15.2' }]
    expect(wantedOf(application({ source: chartSource }, { history }))).toEqual([
      {
        tool: 'argo-cd',
        kind: 'Application',
        namespace: 'argocd',
        name: 'cert-manager',
        chart: 'cert-manager',
        version: 'v1.15.3',
        repository: 'https://charts.jetstack.io',
        releaseName: 'cert-manager',
        releaseNamespace: 'cert-manager',
        running: 'v1.15.2',
      },
    ])
  })

  test('is in sync without a history', () => {
    const sync = { status: 'Synced', revision: 'v1.15.3' }
    expect(wantedOf(application({ source: chartSource }, { sync }))).toMatchObject([{ running: 'v1.15.3' }])
    const other = { status: 'OutOfSync', revision: 'v1.15.3' }
    expect(wantedOf(application({ source: chartSource }, { sync: other }))).toMatchObject([{ running: null }])
  })

  test('has several sources, of which git names no chart', () => {
    const sources = [{ repoURL: 'https://git.example/values.git', ref: 'values' }, chartSource]
    const sync = { status: 'Synced', revisions: ['0f3a', 'v1.15.3'] }
    expect(wantedOf(application({ sources }, { sync }))).toMatchObject([{ chart: 'cert-manager', running: 'v1.15.3' }])
    expect(wantedOf(application({ source: { repoURL: 'https://git.example/x.git', path: 'apps' } }))).toEqual([])
  })

  test('names a chart of an OCI registry by its address, and gives no password away', () => {
    const source = { repoURL: 'oci://user:secret@ghcr.io/org/charts/podinfo', path: '.', targetRevision: '6.7.0' }
    expect(wantedOf(application({ source }))).toMatchObject([
      { chart: 'podinfo', version: '6.7.0', repository: 'oci://ghcr.io/org/charts/podinfo' },
    ])
  })

  test('has the folder of a registry in its repository', () => {
    const source = { repoURL: 'registry-1.docker.io', chart: 'bitnamicharts/valkey', targetRevision: '3.0.31' }
    expect(wantedOf(application({ source }))).toMatchObject([
      { chart: 'valkey', repository: 'registry-1.docker.io/bitnamicharts' },
    ])
  })

  test('of a set has what its template says', () => {
    const set = {
      apiVersion: argo,
      kind: 'ApplicationSet',
      metadata: { name: 'addons', namespace: 'argocd' },
      spec: { template: { spec: { source: { ...chartSource, targetRevision: '{{version}}' } } } },
    }
    expect(wantedOf(set)).toMatchObject([{ kind: 'ApplicationSet', chart: 'cert-manager', version: null }])
  })
})

describe('Flux', () => {
  const release = (chart: object, more: object = {}, status: object = {}) =>
    flux('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'podinfo', { ...chart, ...more }, status)
  const sourceRef = { kind: 'HelmRepository', name: 'podinfo' }
  const chart = { chart: { spec: { chart: 'podinfo', version: '6.7.0', sourceRef } } }

  test('a HelmRelease wants a chart of a HelmRepository', () => {
    const history = [
      { chartVersion: '6.8.0', status: 'failed' },
      { chartVersion: '6.6.3', status: 'deployed' },
    ]
    const repository = flux('source.toolkit.fluxcd.io/v1', 'HelmRepository', 'podinfo', { url: 'https://x.example/c' })
    expect(wantedOf(release(chart, { targetNamespace: 'web' }, { history }), repository)).toMatchObject([
      {
        chart: 'podinfo',
        version: '6.7.0',
        running: '6.6.3',
        repository: 'https://x.example/c',
        releaseName: 'web-podinfo',
        releaseNamespace: 'web',
      },
    ])
  })

  test('shortens the name of a release as Flux does', () => {
    const targetNamespace = 'a-namespace-with-a-name-of-no-less-than-50-letters'
    expect(wantedOf(release(chart, { targetNamespace }))).toMatchObject([
      { releaseName: 'a-namespace-with-a-name-of-no-less-than--0bf8d4e96bad' },
    ])
  })

  test('reads the build of a version from a tag', () => {
    const oci = flux('source.toolkit.fluxcd.io/v1', 'OCIRepository', 'podinfo', {
      url: 'oci://ghcr.io/org/charts/podinfo',
      ref: { tag: '6.7.0_up1' },
    })
    const chartRef = { kind: 'OCIRepository', name: 'podinfo' }
    expect(wantedOf(release({ chartRef }), oci)).toMatchObject([{ version: '6.7.0+up1' }])
  })

  test('an older HelmRelease says what was applied', () => {
    const old = {
      ...release(chart, {}, { lastAppliedRevision: '6.5.0' }),
      apiVersion: 'helm.toolkit.fluxcd.io/v2beta1',
    }
    expect(wantedOf(old)).toMatchObject([{ running: '6.5.0', releaseName: 'podinfo' }])
  })

  test('a HelmRelease wants what its OCIRepository names', () => {
    const artifact = (ref: object) =>
      flux('source.toolkit.fluxcd.io/v1', 'OCIRepository', 'podinfo', { url: 'oci://ghcr.io/charts/podinfo', ref })
    const wanted = release({ chartRef: { kind: 'OCIRepository', name: 'podinfo' } })
    expect(wantedOf(artifact({ tag: '6.7.0' }), wanted)).toMatchObject([{ chart: 'podinfo', version: '6.7.0' }])
    expect(wantedOf(wanted, artifact({ semver: '6.x' }))).toMatchObject([{ chart: 'podinfo', version: '6.x' }])
    expect(wantedOf(wanted)).toMatchObject([{ chart: null, version: null }])
  })

  test('a HelmRelease wants what its HelmChart names, from the repository of the chart', () => {
    const helmChart = flux('source.toolkit.fluxcd.io/v1', 'HelmChart', 'podinfo', {
      chart: 'podinfo',
      version: '6.x',
      sourceRef: { kind: 'HelmRepository', name: 'podinfo' },
    })
    const repository = flux('source.toolkit.fluxcd.io/v1', 'HelmRepository', 'podinfo', {
      url: 'https://user:secret@charts.example/podinfo',
    })
    const wanted = release({ chartRef: { kind: 'HelmChart', name: 'podinfo' } })
    const url = 'https://charts.example/podinfo'
    const found = { kind: 'HelmRelease', chart: 'podinfo', version: '6.x', repository: url }
    expect(wantedOf(wanted, helmChart, repository)).toMatchObject([found])
    expect(wantedOf(repository, helmChart, wanted)).toMatchObject([found])
    expect(wantedOf(wanted, helmChart)).toMatchObject([{ chart: 'podinfo', version: '6.x', repository: null }])
    expect(wantedOf(helmChart, repository)).toEqual([])
  })

  test('a Kustomization wants what git has', () => {
    const spec = { sourceRef: { kind: 'GitRepository', name: 'flux-system' } }
    const applied = { lastAppliedRevision: 'main@sha1:0f3a' }
    const git = flux('source.toolkit.fluxcd.io/v1', 'GitRepository', 'flux-system', { url: 'ssh://git@git.example/x' })
    expect(wantedOf(flux('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', 'apps', spec, applied), git)).toMatchObject(
      [{ kind: 'Kustomization', chart: null, version: null, running: 'main@sha1:0f3a' }],
    )
  })

  test('an artifact with manifests is no chart', () => {
    const spec = { sourceRef: { kind: 'OCIRepository', name: 'fleet' } }
    const url = 'oci://ghcr.io/shop/manifests/fleet'
    const artifact = flux('source.toolkit.fluxcd.io/v1', 'OCIRepository', 'fleet', { url, ref: { tag: '1.2.3' } })
    expect(wantedOf(flux('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', 'apps', spec), artifact)).toMatchObject([
      { kind: 'Kustomization', chart: null, version: null, repository: url },
    ])
  })

  test('a Kustomization of kustomize itself is none', () => {
    expect(wantedOf(flux('kustomize.config.k8s.io/v1beta1', 'Kustomization', 'apps', {}))).toEqual([])
  })
})

test('a HelmChart of k3s may be an archive of the server', () => {
  const of = (spec: object) => wantedOf(flux('helm.cattle.io/v1', 'HelmChart', 'traefik', spec))
  const archive = 'https://%{KUBERNETES_API}%/static/charts/traefik-27.0.201+up27.0.2.tgz'
  expect(of({ chart: archive })).toMatchObject([{ chart: 'traefik', version: '27.0.201+up27.0.2' }])
  expect(of({ chart: 'longhorn', version: '1.7.1', repo: 'https://charts.longhorn.io' })).toMatchObject([
    { chart: 'longhorn', version: '1.7.1', repository: 'https://charts.longhorn.io' },
  ])
})

describe('images of a wanted chart', () => {
  const wanted = application({ source: chartSource }, { sync: { status: 'Synced', revision: 'v1.15.3' } })

  test.each([
    ['its tracking id', { annotations: { 'argocd.argoproj.io/tracking-id': 'cert-manager:apps/Deployment:x/web' } }],
    ['its label', { labels: { 'argocd.argoproj.io/instance': 'cert-manager' } }],
  ])('are known by %s, without labels of Helm', (_, metadata) => {
    const { images, helmCharts } = build([wanted, pod('web', ['x:1'], { namespace: 'other', ...metadata })])
    expect(images).toMatchObject([{ helmChartName: 'cert-manager', helmReleaseName: 'cert-manager' }])
    expect(helmCharts).toMatchObject([{ name: 'cert-manager', version: 'v1.15.3', releaseNamespace: 'cert-manager' }])
  })

  test('are not known by a set of several charts', () => {
    const several = application({ sources: [chartSource, { ...chartSource, chart: 'trust-manager' }] })
    const labels = { 'argocd.argoproj.io/instance': 'cert-manager' }
    expect(build([several, pod('web', ['x:1'], { labels })]).images).toMatchObject([{ helmChartName: null }])
  })

  test('what Helm itself writes goes first', () => {
    const labels = { 'helm.sh/chart': 'cert-manager-v1.14.0', 'app.kubernetes.io/instance': 'cert-manager' }
    const { helmCharts } = build([wanted, pod('web', ['x:1'], { namespace: 'cert-manager', labels })])
    expect(helmCharts).toMatchObject([{ name: 'cert-manager', version: 'v1.14.0' }])
  })
})
