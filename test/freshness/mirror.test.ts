import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseImageRef } from '../../src/freshness/image-ref.ts'
import { namesakeRepositories, upstreamRepositories } from '../../src/freshness/mirror.ts'

const upstreams = (text: string) => upstreamRepositories(parseImageRef(text)!)

describe('upstreamRepositories', () => {
  test.each([
    ['mirror.gcr.io/library/redis', 'docker.io/library/redis'],
    ['mirror.gcr.io/redis', 'docker.io/library/redis'],
    ['mirror.gcr.io/bitnami/redis', 'docker.io/bitnami/redis'],
    ['public.ecr.aws/docker/library/nginx', 'docker.io/library/nginx'],
    ['public.ecr.aws/bitnami/nginx', 'docker.io/bitnami/nginx'],
    ['k8s.gcr.io/ingress-nginx/controller', 'registry.k8s.io/ingress-nginx/controller'],
    ['gcr.io/google_containers/kube-proxy', 'registry.k8s.io/kube-proxy'],
    ['registry.cn-hangzhou.aliyuncs.com/google_containers/coredns/coredns', 'registry.k8s.io/coredns/coredns'],
    ['docker.io/bitnamilegacy/postgresql', 'docker.io/bitnami/postgresql'],
    ['arm64v8/nginx', 'docker.io/library/nginx'],
    ['registry.k8s.io/kube-proxy-arm64', 'registry.k8s.io/kube-proxy'],
    ['harbor.corp/quay.io/coreos/flannel-linux-amd64', 'quay.io/coreos/flannel'],
    ['gitlab.corp/shop/dependency_proxy/containers/nginx', 'docker.io/library/nginx'],
    ['gitlab.corp/shop/dependency_proxy/containers/grafana/grafana', 'docker.io/grafana/grafana'],
    ['rancher/mirrored-cilium-cilium', 'docker.io/cilium/cilium'],
    ['rancher/mirrored-prometheus-alertmanager', 'quay.io/prometheus/alertmanager'],
    ['rancher/mirrored-sig-storage-csi-attacher', 'registry.k8s.io/sig-storage/csi-attacher'],
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.com/docker-hub/library/nginx', 'docker.io/library/nginx'],
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.com/dockerhub/nginx', 'docker.io/library/nginx'],
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.com/docker.io/bitnami/redis', 'docker.io/bitnami/redis'],
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.com/quay/argoproj/argocd', 'quay.io/argoproj/argocd'],
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.com/quay.io/argoproj/argocd', 'quay.io/argoproj/argocd'],
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.com/ghcr/dexidp/dex', 'ghcr.io/dexidp/dex'],
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.com/github/dexidp/dex', 'ghcr.io/dexidp/dex'],
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.com/k8s/kube-proxy', 'registry.k8s.io/kube-proxy'],
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.com/registry.k8s.io/kube-proxy', 'registry.k8s.io/kube-proxy'],
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.com/ecr-public/docker/library/redis', 'docker.io/library/redis'],
    [
      '602401143452.dkr.ecr.eu-west-1.amazonaws.com/amazon-k8s-cni',
      '602401143452.dkr.ecr.us-west-2.amazonaws.com/amazon-k8s-cni',
    ],
    ['europe-docker.pkg.dev/my-project/dockerhub/grafana/grafana', 'docker.io/grafana/grafana'],
    ['europe-docker.pkg.dev/my-project/quay-remote/cilium/cilium', 'quay.io/cilium/cilium'],
    ['us-docker.pkg.dev/my-project/anything/library/nginx', 'docker.io/library/nginx'],
    ['harbor.corp/dockerhub-proxy/library/nginx', 'docker.io/library/nginx'],
    ['harbor.corp/proxy-quay.io/argoproj/argocd', 'quay.io/argoproj/argocd'],
    ['registry.corp:5000/quay.io/argoproj/argocd', 'quay.io/argoproj/argocd'],
    ['artifactory.example.com/docker-remote/bitnami/redis', 'docker.io/bitnami/redis'],
    ['nexus.corp/team/docker-proxy/nginx', 'docker.io/library/nginx'],
    ['harbor.corp/k8s-registry/ingress-nginx/controller', 'registry.k8s.io/ingress-nginx/controller'],
    ['m.daocloud.io/docker.io/library/nginx', 'docker.io/library/nginx'],
    ['docker.m.daocloud.io/grafana/grafana', 'docker.io/grafana/grafana'],
  ])('%s may be %s', (text, upstream) => {
    expect(upstreams(text)).toContain(upstream)
  })

  test.each([
    'docker.elastic.co/elasticsearch/elasticsearch',
    'quay.io/docker/library/nginx',
    'ghcr.io/github/dexidp/dex',
    'registry.shop.example/storefront/web',
    'nginx',
    'harbor.corp/docker/web',
    'harbor.corp/constructor/x',
  ])('%s is what it says', (text) => {
    expect(upstreams(text)).toEqual([])
  })

  test('is small and never holds the repository itself', () => {
    const segment = fc.constantFrom('docker.io', 'quay-proxy', 'library', 'bitnami', 'k8s', 'x', 'mirrored-a-b-c')
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 12 }), (path) => {
        const text = `registry.corp/${path.join('/')}`
        expect(upstreams(text)).not.toContain(text)
        expect(upstreams(text).length).toBeLessThan(50)
      }),
    )
  })
})

test('an image of a private registry may have the owner and name of a published one', () => {
  const ref = parseImageRef('registry.corp/mirror/argoproj/argocd:v3.1.0')!
  expect(namesakeRepositories(ref)).toContain('quay.io/argoproj/argocd')
  expect(namesakeRepositories(parseImageRef('ghcr.io/argoproj/argocd')!)).toEqual([])
})
