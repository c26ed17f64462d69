import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

/**
 * What runs; the states that it must have, in order; where the images of all its steps are, `-` where it must have no step
 * with an image; and where that is said.
 */
const questions: [what: string, states: string, place: string, source: string][] = [
  // The registry of Kubernetes, under its older names.
  ['k8s.gcr.io/pause:3.6', 'frozen', 'registry.k8s.io/pause', 'kubernetes.io/blog/2023/02/06/k8s-gcr-io-freeze'],
  [
    `k8s.gcr.io/pause:3.6@sha256:${'3d380ca8'.repeat(8)}`,
    'frozen',
    'registry.k8s.io/pause',
    'kubernetes.io/blog/2023/02/06/k8s-gcr-io-freeze',
  ],
  ['k8s.gcr.io/sig-storage/nfs-provisioner:v3.0.1', 'frozen', '-', 'kubernetes.io/blog/2023/02/06/k8s-gcr-io-freeze'],
  [
    'k8s.gcr.io/metrics-server/metrics-server:v0.5.2',
    'frozen',
    'registry.k8s.io/metrics-server/metrics-server',
    'kubernetes.io/blog/2023/02/06/k8s-gcr-io-freeze',
  ],
  [
    'asia.gcr.io/k8s-artifacts-prod/ingress-nginx/controller:v0.47.0',
    'retired,moved,frozen',
    '-',
    'github.com/kubernetes/ingress-nginx',
  ],
  ['gcr.io/google-containers/pause:3.2', 'frozen', 'registry.k8s.io/pause', 'github.com/kubernetes/release/issues/270'],
  ['gcr.io/google_containers/pause:3.1', 'frozen', 'registry.k8s.io/pause', 'github.com/kubernetes/release/issues/270'],
  ['gcr.io/google_containers/defaultbackend:1.4', 'frozen', '-', 'github.com/kubernetes/release/issues/270'],
  ['quay.io/k8scsi/csi-provisioner:v2.1.0', 'moved', '-', 'github.com/ofek/csi-gcs/issues/186'],
  [
    'quay.io/kubernetes-ingress-controller/nginx-ingress-controller:0.33.0',
    'retired,frozen',
    '-',
    'github.com/helm/charts/issues/23152',
  ],
  ['registry.k8s.io/pause:3.6', '', 'registry.k8s.io/pause', 'registry.k8s.io lives'],
  // Bitnami.
  ['bitnami/redis:7.2.4-debian-12-r3', 'moved,frozen', '-', 'github.com/bitnami/containers/issues/83267'],
  ['docker.io/bitnamilegacy/postgresql:16.4.0', 'frozen', '-', 'github.com/bitnami/containers/issues/83267'],
  ['bitnami/minio:2023.3.13-debian-11-r0', 'retired,moved,frozen', '-', 'github.com/bitnami/containers/issues/83267'],
  ['harbor.corp.example/dockerhub/bitnami/postgresql:15.4.0', 'moved,frozen', '-', 'a cache of Docker Hub'],
  ['public.ecr.aws/bitnami/postgresql:15.4.0', 'frozen', '-', 'github.com/aws/containers-roadmap/issues/2817'],
  [
    'bitnami/sealed-secrets-controller:v0.24.5',
    '',
    'docker.io/bitnami/sealed-secrets-controller',
    'github.com/bitnami/sealed-secrets/issues/1785',
  ],
  [
    'quay.io/bitnami/sealed-secrets-controller:v0.16.0',
    'moved',
    'docker.io/bitnami/sealed-secrets-controller',
    'github.com/bitnami/sealed-secrets/issues/822',
  ],
  // CoreOS on Quay, and others that left a registry.
  [
    'quay.io/coreos/etcd:v3.4.13',
    'unsupported',
    'quay.io/coreos/etcd',
    'github.com/etcd-io/etcd: still published there',
  ],
  ['quay.io/coreos/kube-state-metrics:v1.9.7', 'moved', '-', 'github.com/kubernetes/kube-state-metrics'],
  ['quay.io/coreos/dex:v2.10.0', 'moved', '-', 'github.com/mintel/dex-k8s-authenticator/issues/71'],
  ['quay.io/dexidp/dex:v2.27.0', 'frozen', 'ghcr.io/dexidp/dex', 'github.com/scality/metalk8s/pull/2990'],
  ['dexidp/dex:v2.35.0', '', 'docker.io/dexidp/dex', 'github.com/dexidp/dex lives there'],
  ['quay.io/coreos/prometheus-operator:v0.38.0', 'moved', '-', 'github.com/prometheus-operator/prometheus-operator'],
  ['quay.io/coreos/clair:v2.1.8', 'moved', '-', 'github.com/quay/clair'],
  ['quay.io/pusher/oauth2_proxy:v5.1.0', 'moved', '-', 'github.com/oauth2-proxy/oauth2-proxy'],
  ['gcr.io/heptio-images/velero:v1.0.0', 'frozen', '-', 'github.com/vmware-tanzu/velero'],
  ['vault:1.13.3', 'frozen,unsupported', 'docker.io/hashicorp/vault', 'hub.docker.com/_/vault'],
  ['consul:1.15.4', 'frozen,unsupported', 'docker.io/hashicorp/consul', 'hub.docker.com/_/consul'],
  ['flannelcni/flannel:v0.20.0', 'moved', '-', 'github.com/flannel-io/flannel'],
  [
    'rancher/mirrored-flannelcni-flannel:v0.20.2',
    'moved',
    'docker.io/flannel/flannel',
    'github.com/flannel-io/flannel/issues/1685',
  ],
  ['weaveworks/flagger:1.22.0', 'moved', 'ghcr.io/fluxcd/flagger', 'github.com/fluxcd/flagger/pull/764'],
  ['weaveworks/kured:1.9.2', 'moved', 'ghcr.io/kubereboot/kured', 'github.com/kubereboot/kured'],
  [
    'gcr.io/kubebuilder/kube-rbac-proxy:v0.13.1',
    'moved',
    'quay.io/brancz/kube-rbac-proxy',
    'github.com/kubernetes-sigs/kubebuilder/discussions/3907',
  ],
  [
    'gcr.io/tekton-releases/github.com/tektoncd/pipeline/cmd/controller:v0.50.0',
    'frozen',
    '-',
    'github.com/tektoncd/pipeline/issues/8870',
  ],
  ['gcr.io/ml-pipeline/api-server:2.0.5', 'frozen', '-', 'github.com/kubeflow/pipelines/issues/12422'],
  [
    'gcr.io/istio-release/pilot:1.29.0',
    'moved,unsupported',
    'docker.io/istio/pilot',
    'github.com/istio/istio/issues/61467',
  ],
  [
    'gcr.io/istio-release/proxyv2:1.29.0-distroless',
    'moved,unsupported',
    'docker.io/istio/proxyv2',
    'github.com/istio/istio/issues/61467',
  ],
  ['gcr.io/spark-operator/spark-operator:v1beta2-1.3.8-3.1.1', 'moved', '-', 'github.com/kubeflow/spark-operator'],
  ['adoptopenjdk/openjdk11:alpine-jre', 'retired', '-', 'github.com/AdoptOpenJDK/openjdk-docker'],
  ['jenkins:2.60.3', 'frozen', '-', 'hub.docker.com/_/jenkins'],
  [
    'amazon/aws-alb-ingress-controller:v1.1.9',
    'retired',
    '-',
    'github.com/kubernetes-sigs/aws-load-balancer-controller',
  ],
  ['chart prometheus-operator 9.3.2', 'retired', '-', 'github.com/helm/charts/tree/master/stable/prometheus-operator'],
  // Copies and caches of what is retired.
  ['mirror.gcr.io/library/openjdk:8-jre', 'retired,frozen', '-', 'hub.docker.com/_/openjdk'],
  ['public.ecr.aws/docker/library/centos:7', 'retired,frozen,unsupported', '-', 'centos.org/centos-linux-eol'],
  ['harbor.corp.example/docker-proxy/library/openjdk:17-jdk-slim', 'retired,frozen', '-', 'hub.docker.com/_/openjdk'],
  [
    '123456789012.dkr.ecr.us-east-1.amazonaws.com/docker-hub/library/centos:7.9.2009',
    'retired,frozen,unsupported',
    '-',
    'centos.org/centos-linux-eol',
  ],
  [
    'gitlab.example.com/shop/dependency_proxy/containers/openjdk:8-jre',
    'retired,frozen',
    '-',
    'hub.docker.com/_/openjdk',
  ],
  ['artifactory.corp.example/docker-remote/grafana/agent:v0.43.0', 'retired,frozen', '-', 'github.com/grafana/agent'],
  // Of what moved with all of its registry, the project publishes something else by now.
  [
    'gcr.io/google_containers/kubernetes-dashboard-amd64:v1.10.1',
    'retired,frozen',
    '-',
    'github.com/kubernetes/release/issues/270',
  ],
  ['mcr.microsoft.com/mirror/docker/library/redis:7.4', '', '-', 'hub.docker.com/_/redis: some versions only'],
  // A tag of an image that no project of the catalog publishes.
  ['quay.io/jetstack/cert-manager-ctl:v1.12.1', 'withdrawn', '-', 'cert-manager.io/docs/releases'],
  // Releases that attackers planted, wherever they are.
  ['ghcr.io/aquasecurity/trivy:0.69.4', 'compromised', 'ghcr.io/aquasecurity/trivy', 'CVE-2026-33634'],
  ['public.ecr.aws/aquasecurity/trivy:0.69.4', 'compromised', 'public.ecr.aws/aquasecurity/trivy', 'CVE-2026-33634'],
  ['mirror.corp.example/aquasec/trivy:v0.69.4', 'compromised', 'mirror.corp.example/aquasec/trivy', 'CVE-2026-33634'],
  ['aquasec/trivy:0.69.4-amd64', 'compromised', 'docker.io/aquasec/trivy', 'CVE-2026-33634'],
  ['aquasec/trivy:0.69.3', '', 'docker.io/aquasec/trivy', 'CVE-2026-33634: not this one'],
  // Versions of Kubernetes as distributions write them.
  ['kubernetes v1.31.2-eks-7f9249a', 'unsupported', '-', 'kubernetes.io/releases'],
  ['kubernetes v1.29.5-gke.1091002', 'unsupported', '-', 'kubernetes.io/releases'],
  ['kubernetes v1.26.0+k3s1', 'withdrawn,unsupported', '-', 'github.com/k3s-io/k3s/pull/6706'],
  ['kubernetes v1.26.0+k3s2', 'unsupported', '-', 'github.com/k3s-io/k3s/pull/6706: not this one'],
  ['kubernetes v1.25.5+rke2r1', 'withdrawn,unsupported', '-', 'github.com/rancher/rke2/blob/master/channels.yaml'],
  ['kubernetes v1.24.9+rke2r2', 'unsupported', '-', 'github.com/rancher/rke2/blob/master/channels.yaml: not this one'],
  ['rancher/rke2-runtime:v1.26.0-rke2r1', 'withdrawn', '-', 'github.com/rancher/rke2/blob/master/channels.yaml'],
  ['kindest/node:v1.27.3', 'unsupported', '-', 'github.com/kubernetes-sigs/kind/releases: some versions only'],
  // Images of version 1 alone.
  [
    'jaegertracing/jaeger-agent:1.76.0',
    'retired,frozen,unsupported',
    'docker.io/jaegertracing/jaeger',
    'github.com/jaegertracing/jaeger/issues/6321',
  ],
  [
    'gcr.io/cloudsql-docker/gce-proxy:1.33.2',
    'moved',
    'gcr.io/cloud-sql-connectors/cloud-sql-proxy',
    'github.com/GoogleCloudPlatform/cloud-sql-proxy',
  ],
  // Bases that images are no longer built on.
  ['debian:buster-slim', 'unsupported', '-', 'wiki.debian.org/DebianReleases'],
  ['ubuntu:bionic-20230530', 'unsupported', '-', 'wiki.ubuntu.com/Releases'],
  ['python:3.8-slim-buster', 'unsupported', '-', 'github.com/docker-library/python: dropped in June 2023'],
  ['golang:1.16-buster', 'unsupported', '-', 'github.com/docker-library/golang: dropped in June 2023'],
  ['alpine:3.14', 'unsupported', 'docker.io/library/alpine', 'alpinelinux.org/releases'],
  ['quay.io/minio/minio:RELEASE.2025-10-15T17-29-55Z', 'withdrawn,retired,frozen', '-', 'github.com/minio/minio'],
]

test.each(questions)('%s is %j, and its steps are at %s (%s)', (what, states, place) => {
  const item = ask(what)
  const { urgent, clean, line, next, newest } = item.steps!
  const images = [urgent, clean, line, next, newest].flatMap((step) => step?.image ?? [])
  const places = new Set(images.map((image) => image.slice(0, image.lastIndexOf(':'))))
  expect({ states: item.states!.join(), places: [...places] }).toEqual({ states, places: place === '-' ? [] : [place] })
})

test('asks 60 questions and more', () => {
  expect(questions.length).toBeGreaterThanOrEqual(60)
})

test('an image on a base that ended is led to no release that was built after it', () => {
  const { steps, recommendation } = ask('python:3.8.10-slim-buster')
  expect([steps!.urgent!.image, steps!.newest!.image]).toEqual([
    'docker.io/library/python:3.8.17-slim-buster',
    'docker.io/library/python:3.11.4-slim-buster',
  ])
  expect(recommendation).toContain('3.8.17')
  expect(ask('python:3.8-slim-buster').recommendation).toContain(
    'Images on Debian 10 (buster) are built for no release',
  )
})

test('a release from before a move stays where it is, where the new place has none of it', () => {
  const { line, newest } = ask('jaegertracing/all-in-one:1.50.0').steps!
  expect([line!.image, newest!.image]).toEqual([
    'docker.io/jaegertracing/all-in-one:1.76.0',
    'docker.io/jaegertracing/jaeger:2.20.0',
  ])
})

test('charts that are cut with their app go by the stops of its releases, too', () => {
  expect(ask('chart rook-ceph 1.8.0').steps!.newest).toMatchObject({
    version: '1.20.6',
    via: expect.arrayContaining(['1.9.13', '1.10.13', '1.19.10']),
  })
})
