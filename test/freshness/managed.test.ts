import { describe, expect, test } from 'vitest'
import { builtIn } from '../../src/catalog/bundle.ts'
import data from '../../src/catalog/data/managed.json' with { type: 'json' }
import { managedFacts } from '../../src/catalog/managed.ts'
import { offeringNames } from '../../src/contract/choices.ts'

import type { ImageArtifact } from '../../src/reports/artifact.ts'
import { bundledProjects } from '../helpers/bundled-catalog.ts'
import { assessFreshness } from './assess-freshness.ts'
import { catalogFor, kubernetes, now, type ProjectFacts } from './catalog.ts'
import { measureCases } from './measured-cases.ts'

const coredns: ProjectFacts = { slug: 'coredns', name: 'CoreDNS', app: ['v1.14.3', 'v1.13.1', 'v1.11.4'] }
const cni: ProjectFacts = { slug: 'azure-container-networking', name: 'Azure CNI', app: ['v1.8.12', 'v1.8.13'] }
const prometheus: ProjectFacts = { slug: 'prometheus', name: 'Prometheus', app: ['v3.14.0', 'v2.53.5'] }

const facts = managedFacts(builtIn)
const catalog = { ...catalogFor(kubernetes, coredns, cni, prometheus), managed: facts }

const image = (reference: string, namespace: string | null = 'kube-system', helmChart: string | null = null) => {
  return { reference, namespace, workload: 'deployment/w', helmChart, helmRelease: null }
}

function assess(images: ImageArtifact[], kubernetesVersion: string | null = null) {
  const artifacts = { images, charts: [], apps: [], kubernetesVersion, imageSource: 'artifacts' as const }
  return assessFreshness(artifacts, catalog, { now })
}

/** `all` is what runs beside it. */
function toItem(one: ImageArtifact, { version, beside = [] }: { version?: string; beside?: ImageArtifact[] } = {}) {
  return assess([one, ...beside], version).find(({ display_name }) => display_name === one.reference)!
}

describe('the bundled facts', () => {
  test('name projects of the catalog and offerings that people know', () => {
    const slugs = new Set(bundledProjects().map(({ slug }) => slug))
    const named = data.places.flatMap((place) => [
      ...Object.keys(place.projects),
      ...('ownProjects' in place ? Object.keys(place.ownProjects!) : []),
    ])
    expect(named.filter((slug) => !slugs.has(slug))).toEqual([])
    const runners = data.places.flatMap((place) => ('runBy' in place ? Object.keys(place.runBy!) : []))
    const ids = new Set(runners.flatMap((ids) => ids.split(',')).filter((id) => id !== 'nobody'))
    expect([...facts.offerings.keys()]).toEqual(Object.keys(offeringNames))
    expect([...ids].filter((id) => !facts.offerings.has(id))).toEqual([])
  })

  test.each([
    ['mcr.microsoft.com/oss/v2/kubernetes/coredns', 'coredns', ['aks'], false],
    ['mcr.azk8s.cn/oss/kubernetes/coredns', 'coredns', ['aks'], false],
    ['gke.gcr.io/csi-attacher', 'csi-external-attacher', ['gke'], false],
    [
      'europe-west1-artifactregistry.gcr.io/gke-release/gke-release/csi-attacher',
      'csi-external-attacher',
      ['gke'],
      false,
    ],
    ['602401143452.dkr.ecr.eu-north-1.amazonaws.com/eks/coredns', 'coredns', ['eks'], false],
    ['registry.rancher.com/rancher/hardened-etcd', 'etcd', ['rke2'], false],
    ['docker.io/rancher/hardened-cluster-autoscaler', 'cluster-proportional-autoscaler', ['rke2'], false],
    [
      '602401143452.dkr.ecr.eu-north-1.amazonaws.com/amazon/aws-load-balancer-controller',
      'aws-load-balancer-controller',
      [],
      false,
    ],
    ['mcr.microsoft.com/azuredefender/stable/new-collector', undefined, ['aks'], true],
    ['877085696533.dkr.ecr.af-south-1.amazonaws.com/eks/coredns', 'coredns', ['eks'], false],
    ['918309763551.dkr.ecr.cn-north-1.amazonaws.com.cn/eks/new-agent', undefined, ['eks'], true],
    ['602401143452.dkr.ecr.eu-north-1.amazonaws.com/eks/new/agent', undefined, ['eks'], true],
    ['quay.io/openshift-release-dev/ocp-v4.0-art-dev', undefined, ['openshift'], true],
  ])('know %s', (repository, slug, offerings, isOwn) => {
    expect(facts.find(repository)).toMatchObject({ slug, offerings, isOwn })
  })

  test.each([
    '123456789012.dkr.ecr.eu-north-1.amazonaws.com/eks/coredns',
    'gke.gcr.io.example.com/csi-attacher',
    'example.com/mcr.microsoft.com/oss/kubernetes/coredns',
    'mcr.microsoft.com/dotnet/aspnet',
    'fra.ocir.io/acme/oke-public-flannel',
    'docker.io/library/nginx',
  ])('know nothing of %s', (repository) => {
    expect(facts.find(repository)).toBeUndefined()
  })
})

describe("a vendor's image of a project", () => {
  test("has the project's version, and is measured by it", () => {
    expect(toItem(image('mcr.microsoft.com/oss/v2/kubernetes/coredns:v1.13.1-20', 'shop'))).toMatchObject({
      current_version: 'v1.13.1-20',
      upstream_version: '1.13.1',
      latest_version: 'v1.14.3',
      status: 'minor_behind',
      confidence: 0.95,
    })
  })

  test.each([
    ['mcr.microsoft.com/oss/kubernetes/kube-proxy:v1.34.10.1', '1.34.10'],
    ['mcr.microsoft.com/oss/kubernetes/kube-proxy:v1.34.10-hotfix.20240819', '1.34.10'],
    ['gke.gcr.io/kube-proxy-amd64:v1.34.10-gke.1057002', '1.34.10'],
    ['602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/kube-proxy:v1.34.10-minimal-eksbuild.8', '1.34.10'],
    ['rancher/hardened-kubernetes:v1.34.10-rke2r1-build20250213', '1.34.10'],
    ['ghcr.io/siderolabs/kubelet:v1.36.0-rc.1', '1.36.0-rc.1'],
    ['public.ecr.aws/eks-distro/kubernetes/kube-proxy:v1.34.10-eks-1-34-7', '1.34.10'],
    ['quay.io/k0sproject/coredns:1.11.4-k0s.0', '1.11.4'],
    ['public.ecr.aws/eks-distro/kubernetes/kube-proxy-base:v0.18.0-eks-1-36-7', undefined],
    ['quay.io/openshift/origin-kube-proxy:4.20.0', undefined],
    [`mcr.microsoft.com/oss/kubernetes/kube-proxy@sha256:${'a'.repeat(64)}`, undefined],
  ])('%s carries %s', (reference, version) => {
    const [item] = assess([image(reference)])
    expect(item!.upstream_version).toBe(version)
    expect(item!.status === 'unknown').toBe(version === undefined)
  })

  test('is told unsurely where the vendor has a branch of its own', () => {
    const item = toItem(image('gke.gcr.io/prometheus-engine/prometheus:v2.53.5-gmp.1-gke.2'))
    expect(item).toMatchObject({ upstream_version: '2.53.5', status: 'major_behind' })
    expect(item.confidence).toBeLessThan(0.8)
  })

  test('is known through a mirror as well, where no offering runs it', () => {
    const item = toItem(image('harbor.example.com/mcr.microsoft.com/oss/v2/kubernetes/coredns:v1.13.1-20'))
    expect(item).toMatchObject({ upstream_version: '1.13.1', status: 'minor_behind' })
    expect(item.managed_by).toBeUndefined()
  })
})

describe('what an offering runs', () => {
  const cns = image('mcr.microsoft.com/containernetworking/azure-cns:v1.8.12')
  const dns = 'mcr.microsoft.com/oss/v2/kubernetes/coredns:v1.13.1-20'

  test('comes with the upgrade of the cluster', () => {
    expect(toItem(image('gke.gcr.io/kube-proxy:v1.34.10-gke.1', 'kube-system'))).toMatchObject({
      managed_by: 'gke',
      status: 'minor_behind',
      recommendation: "GKE runs it: it comes with the cluster's upgrade; the newest version of the project is v1.36.4.",
    })
  })

  test('is known by where it runs, when people can run it as well', () => {
    expect(toItem(image(dns)).managed_by).toBeUndefined()
    expect(toItem(image(dns), { beside: [cns] }).managed_by).toBe('aks')
    expect(toItem(image(dns, 'shop'), { beside: [cns] }).managed_by).toBeUndefined()
    expect(toItem(image(dns, null), { beside: [cns] }).managed_by).toBeUndefined()
    const mirrored = image('rancher/mirrored-coredns-coredns:1.13.1')
    expect(toItem(mirrored).managed_by).toBeUndefined()
    expect(toItem(mirrored, { version: 'v1.33.6+k3s1' }).managed_by).toBe('k3s')
    expect(toItem(mirrored, { version: 'v1.33.6-gke.1' }).managed_by).toBeUndefined()
  })

  test('is not what a chart installs in another namespace', () => {
    expect(toItem(image('gke.gcr.io/kube-proxy:v1.34.10-gke.1', 'shop', 'proxy')).managed_by).toBeUndefined()
    expect(toItem(image('gke.gcr.io/kube-proxy:v1.34.10-gke.1', 'shop')).managed_by).toBe('gke')
  })

  test('is told without advice when it is the newest', () => {
    const item = toItem(image('gke.gcr.io/kube-proxy:v1.36.4-gke.1'))
    expect(item).toMatchObject({ managed_by: 'gke', status: 'up_to_date', recommendation: 'Nothing to do.' })
  })
})

describe("a vendor's own component", () => {
  test('is unknown, and comes with the upgrade of the cluster', () => {
    const item = toItem(image('mcr.microsoft.com/azuredefender/stable/pod-collector:1.0.185'))
    expect(item).toMatchObject({
      managed_by: 'aks',
      vendor_component: true,
      source_product_id: null,
      status: 'unknown',
      recommendation: "A component of AKS itself: it comes with the cluster's upgrade.",
    })
  })

  test('is not compared where its project is known', () => {
    const item = toItem(image('mcr.microsoft.com/containernetworking/azure-cns:v1.8.12'))
    expect(item).toMatchObject({
      managed_by: 'aks',
      vendor_component: true,
      source_product_id: 3,
      upstream_version: '1.8.12',
      status: 'unknown',
      latest_version: null,
      releases_behind: null,
    })
  })

  test('is not a base image that people build on', () => {
    const reference = 'mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022'
    const cns = image('mcr.microsoft.com/containernetworking/azure-cns:v1.8.12')
    const item = toItem(image(reference, 'shop'), { beside: [cns] })
    expect(item).toMatchObject({ status: 'unknown' })
    expect(item.managed_by).toBeUndefined()
    expect(toItem(image(reference), { beside: [cns] }).vendor_component).toBe(true)
  })

  test('may be a digest of a payload alone', () => {
    const reference = `quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:${'a'.repeat(64)}`
    const [item] = assess([image(reference, 'openshift-dns')])
    expect(item).toMatchObject({ managed_by: 'openshift', vendor_component: true, status: 'unknown' })
  })

  test('may be a chart that a distribution installs in its own namespace', () => {
    const chart = { name: 'rke2-coredns', version: '1.42.302', release: 'rke2-coredns', workload: null }
    const assessed = (namespace: string) => {
      const charts = [{ ...chart, namespace }]
      const artifacts = { images: [], charts, apps: [], kubernetesVersion: null, imageSource: 'artifacts' as const }
      return assessFreshness(artifacts, catalog, { now })[0]!
    }
    expect(assessed('kube-system')).toMatchObject({ managed_by: 'rke2', vendor_component: true, status: 'unknown' })
    expect(assessed('shop').managed_by).toBeUndefined()
  })

  test('stands behind everything else', () => {
    const own = image('mcr.microsoft.com/azuredefender/stable/pod-collector:1.0.185')
    const items = assess([own, image('gke.gcr.io/kube-proxy:v1.36.4-gke.1'), image('example.com/acme/shop:1.0.0')])
    expect(items.map(({ status, vendor_component }) => `${status} ${vendor_component ?? ''}`)).toEqual([
      'unknown ',
      'up_to_date ',
      'unknown true',
    ])
  })
})

test('at least 85 % of what offerings run is answered', () => {
  const managed = Map.groupBy(
    measureCases().filter(({ family }) => family === 'managed'),
    ({ why }) => why,
  )
  for (const offering of ['aks', 'eks', 'gke', 'k3s', 'rke2', 'rancher']) {
    const cases = managed.get(offering)!
    expect(cases.filter(({ isAnswered }) => isAnswered).length / cases.length, offering).toBeGreaterThanOrEqual(0.85)
  }
})
