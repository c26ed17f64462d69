import { expect, test } from 'vitest'
import { lookupKeys } from '../../src/freshness/index.ts'

const place = { namespace: null, workload: null }
const image = { ...place, helmChart: null, helmRelease: null }

test('lookupKeys asks for every repository and name that an artifact may mean', () => {
  const keys = lookupKeys({
    images: [
      { ...image, reference: 'harbor.corp/dockerhub-proxy/bitnami/redis:7' },
      { ...image, reference: 'nginx:1.27' },
      { ...image, reference: 'gke.gcr.io/kube-proxy-amd64:v1.33.9' },
      { ...image, reference: 'not an image' },
    ],
    charts: [{ ...place, name: 'argo-cd', version: '7.3.4', release: null }],
    apps: [{ name: 'Argo Rollouts', version: '1.7.0', namespace: null }],
  })
  expect(keys.repositories).toEqual(
    expect.arrayContaining([
      'harbor.corp/dockerhub-proxy/bitnami/redis',
      'docker.io/bitnami/redis',
      'docker.io/library/redis',
      'docker.io/library/nginx',
    ]),
  )
  expect(keys.names).toEqual([
    'argo-cd',
    'argo-rollouts',
    'k0s',
    'k3s',
    'kube-proxy',
    'kubernetes',
    'nginx',
    'redis',
    'rke2',
  ])
})

test('lookupKeys asks for Kubernetes and its distributions in any case', () => {
  const nothing = { images: [], charts: [], apps: [], kubernetesVersion: null, imageSource: 'findings' as const }
  expect(lookupKeys(nothing)).toEqual({ repositories: [], names: ['k0s', 'k3s', 'kubernetes', 'rke2'] })
})
