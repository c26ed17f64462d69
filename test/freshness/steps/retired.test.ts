import { expect, test } from 'vitest'
import { hasBadState } from '../../../src/views/state.ts'
import { ask } from '../ask.ts'

/** What runs, the states that it must have (none: it lives), and where that is said. */
const questions: [what: string, states: string, source: string][] = [
  [
    'registry.k8s.io/ingress-nginx/controller:v1.12.1',
    'retired',
    'kubernetes.io/blog/2025/11/11/ingress-nginx-retirement',
  ],
  ['registry.k8s.io/ingress-nginx/kube-webhook-certgen:v1.5.2', 'retired', 'github.com/kubernetes/ingress-nginx'],
  ['jettech/kube-webhook-certgen:v1.5.2', 'retired', 'github.com/jet/kube-webhook-certgen'],
  ['jaegertracing/all-in-one:1.62.0', 'retired', 'github.com/jaegertracing/jaeger, end of v1'],
  ['jaegertracing/jaeger:2.5.0', '', 'github.com/jaegertracing/jaeger: v2 lives'],
  ['jaegertracing/jaeger-operator:1.65.0', 'retired', 'github.com/jaegertracing/jaeger-operator'],
  ['kubernetesui/dashboard:v2.7.0', 'retired', 'github.com/kubernetes-retired/dashboard'],
  ['chart kubernetes-dashboard 7.10.0', 'retired', 'github.com/kubernetes-retired/dashboard'],
  ['grafana/agent:v0.43.0', 'retired', 'github.com/grafana/agent: end of life 2025-11-01'],
  ['grafana/alloy:v1.8.0', '', 'github.com/grafana/alloy lives'],
  ['grafana/oncall:v1.10.0', 'retired', 'github.com/grafana/oncall: archived 2026-03-24'],
  ['grafana/promtail:3.0.0', 'retired', 'grafana.com/docs/loki: end of life 2026-03-02'],
  ['chart promtail 6.16.0', 'retired', 'github.com/grafana/helm-charts'],
  ['grafana/phlare:0.6.1', 'retired', 'github.com/grafana/phlare: now Pyroscope'],
  ['quay.io/minio/minio:RELEASE.2025-09-07T16-13-09Z', 'retired', 'github.com/minio/minio: archived 2026-02'],
  ['quay.io/minio/mc:RELEASE.2024-11-21T17-21-54Z', 'retired', 'github.com/minio/mc'],
  ['quay.io/minio/kes:2024-10-31T07-42-41Z', 'retired', 'github.com/minio/kes'],
  ['quay.io/mongodb/mongodb-kubernetes-operator:0.12.0', 'retired', 'github.com/mongodb/mongodb-kubernetes-operator'],
  ['openservicemesh/osm-controller:v1.2.4', 'retired', 'github.com/openservicemesh/osm: archived'],
  ['chart osm 1.2.4', 'retired', 'github.com/openservicemesh/osm'],
  ['openjdk:11-jre-slim', 'retired', 'hub.docker.com/_/openjdk: deprecated'],
  ['eclipse-temurin:21-jre', '', 'hub.docker.com/_/eclipse-temurin lives'],
  ['centos:7', 'retired', 'centos.org/centos-linux-eol'],
  ['gcr.io/kubernetes-helm/tiller:v2.16.1', 'retired', 'helm.sh/blog/helm-v2-deprecation-timeline'],
  ['fluxcd/flux:1.25.4', 'retired', 'github.com/fluxcd/flux: archived 2022-11-01'],
  ['fluxcd/helm-operator:1.4.4', 'retired', 'github.com/fluxcd/helm-operator'],
  ['ghcr.io/fluxcd/source-controller:v1.5.0', '', 'github.com/fluxcd/source-controller lives'],
  ['k8s.gcr.io/heapster-amd64:v1.5.4', 'retired', 'github.com/kubernetes-retired/heapster'],
  ['anchore/anchore-engine:v1.1.0', 'retired', 'github.com/anchore/anchore-engine'],
  [
    'quay.io/argoproj/argocd-applicationset:v0.4.1',
    'retired',
    'github.com/argoproj/applicationset: in Argo CD since 2.3',
  ],
  ['argoprojlabs/argocd-notifications:v1.2.1', 'retired', 'github.com/argoproj-labs/argocd-notifications'],
  ['ceph/daemon:v6.0.3', 'retired', 'github.com/ceph/ceph-container'],
  ['chart linkerd2 2.11.5', 'retired', 'linkerd.io/releases: no stable charts by the project since 2024'],
  ['cr.l5d.io/linkerd/controller:stable-2.14.10', 'retired', 'linkerd.io/releases'],
  ['cr.l5d.io/linkerd/controller:edge-25.4.1', '', 'linkerd.io/releases: edge lives'],
  ['chart cp-helm-charts 0.6.1', 'retired', 'github.com/confluentinc/cp-helm-charts'],
  ['chart elasticsearch 7.17.3', 'retired', 'github.com/elastic/helm-charts: archived'],
  ['quay.io/coreos/etcd-operator:v0.9.4', 'retired', 'github.com/coreos/etcd-operator'],
  ['falcosecurity/falco-exporter:0.8.7', 'retired', 'github.com/falcosecurity/falco-exporter'],
  ['gcr.io/kaniko-project/executor:v1.23.2', 'retired', 'github.com/GoogleContainerTools/kaniko: archived 2025-06-03'],
  ['quay.io/uswitch/kiam:v4.2', 'retired', 'github.com/uswitch/kiam'],
  ['chart aad-pod-identity 4.1.18', 'retired', 'github.com/Azure/aad-pod-identity'],
  ['kubeless/function-controller:v1.0.8', 'retired', 'github.com/vmware-archive/kubeless'],
  [
    'quay.io/external_storage/nfs-client-provisioner:latest',
    'retired',
    'github.com/kubernetes-retired/external-storage',
  ],
  ['chart nfs-client-provisioner 1.2.11', 'retired', 'github.com/helm/charts'],
  [
    'ghcr.io/external-secrets/kubernetes-external-secrets:8.5.5',
    'retired',
    'github.com/external-secrets/kubernetes-external-secrets',
  ],
  ['ghcr.io/external-secrets/external-secrets:v0.14.0', '', 'github.com/external-secrets/external-secrets lives'],
  ['kubesphere/ks-console:v3.4.1', 'retired', 'github.com/kubesphere/kubesphere'],
  ['bitnami/kubewatch:0.1.0', 'retired', 'github.com/vmware-archive/kubewatch'],
  ['metacontroller/metacontroller:v0.4.0', '', 'renamed, which ends nothing'],
  ['nats-streaming:0.25.6', 'retired', 'github.com/nats-io/nats-streaming-server: end of life June 2023'],
  ['nats:2.10.20', '', 'github.com/nats-io/nats-server lives'],
  ['openebs/jiva-operator:3.6.0', 'retired', 'github.com/openebs/openebs: archived engines'],
  ['timescale/promscale:0.17.0', 'retired', 'github.com/timescale/promscale'],
  ['rancher/rke-tools:v0.1.96', 'retired', 'github.com/rancher/rke: end of life 2025-07-31'],
  ['aquasec/starboard-operator:0.15.37', 'retired', 'github.com/aquasecurity/starboard: now the Trivy operator'],
  ['weaveworks/weave-kube:2.8.1', 'retired', 'github.com/weaveworks/weave: archived 2024-06'],
  ['weaveworks/scope:1.13.2', 'retired', 'github.com/weaveworks/scope'],
  ['redis:8.0.2', '', 'github.com/redis/redis lives'],
  ['hashicorp/vault:1.19.0', '', 'another license, which ends nothing'],
  ['quay.io/louketo/louketo-proxy:1.0.0', 'retired', 'github.com/louketo/louketo-proxy'],
  ['jetstack/kube-lego:0.1.7', 'retired', 'github.com/jetstack/kube-lego: now cert-manager'],
  ['quay.io/kubernetes-multicluster/kubefed:v0.9.2', 'retired', 'github.com/kubernetes-retired/kubefed'],
  [
    'quay.io/kubernetes-service-catalog/service-catalog:v0.3.1',
    'retired',
    'github.com/kubernetes-retired/service-catalog',
  ],
  ['ghcr.io/opsgenie/kubernetes-event-exporter:v0.11', 'retired', 'github.com/opsgenie/kubernetes-event-exporter'],
  ['synadia/nats-streaming-operator:0.4.2', 'retired', 'github.com/nats-io/nats-streaming-operator'],
  ['gcr.io/cassandra-operator/cassandra-operator:v7.1.0', 'retired', 'github.com/instaclustr/cassandra-operator'],
  ['chart k8ssandra 1.5.2', 'retired', 'github.com/k8ssandra/k8ssandra'],
  ['chart reaper-operator 0.32.3', 'retired', 'github.com/k8ssandra/k8ssandra'],
  [
    'mcr.microsoft.com/k8s/flexvolume/keyvault-flexvolume:v0.0.17',
    'retired',
    'github.com/Azure/kubernetes-keyvault-flexvol',
  ],
  ['microsoft/azure-service-broker:v1.8.4', 'retired', 'github.com/Azure/open-service-broker-azure'],
  ['rook/nfs:v1.7.3', 'retired', 'github.com/rook/nfs'],
  ['ghcr.io/projectcontour/contour-operator:v1.24.0', 'retired', 'github.com/projectcontour/contour-operator'],
  ['quay.io/k8scsi/driver-registrar:v1.0.1', 'retired', 'github.com/kubernetes-csi/driver-registrar'],
  ['rancher/rio-controller:v0.8.0', 'retired', 'github.com/rancher/rio'],
  ['rancher/os:v1.5.8', 'retired', 'github.com/rancher/os'],
  ['gcr.io/heptio-images/eventrouter:v0.3', 'retired', 'github.com/vmware-archive/eventrouter'],
  ['clearlinux:latest', 'retired', 'endoflife.date/clearlinux'],
  ['chart crowdsec-traefik-bouncer 0.1.4', 'retired', 'github.com/crowdsecurity/helm-charts'],
  ['chart ditto-digital-twins 0.7.1', 'retired', 'github.com/kiwigrid/helm-charts'],
  ['chart hawkbit-update-server 2.1.2', 'retired', 'github.com/kiwigrid/helm-charts'],
  ['chart prometheus-pingdom-exporter 2.2.1', 'retired', 'github.com/kiwigrid/helm-charts'],
  ['chart victoria-metrics-distributed 0.44.0', 'retired', 'github.com/VictoriaMetrics/helm-charts'],
  ['chart kubewarden-crds 1.20.0', 'retired', 'github.com/kubewarden/helm-charts'],
  ['ghcr.io/kubewarden/kubewarden-controller:v1.20.0', '', 'the project lives'],
  ['chart loki-canary 0.14.1', 'retired', 'github.com/grafana/helm-charts'],
  ['rook/ceph:v1.18.0', '', 'github.com/rook/rook lives'],
  ['ghcr.io/projectcontour/contour:v1.30.0', '', 'github.com/projectcontour/contour lives'],
]

test.each(questions)('%s is %j (%s)', (what, state) => {
  const item = ask(what)
  const isRetired = (item.states ?? []).includes('retired')
  expect(isRetired ? 'retired' : '').toBe(state)
  if (state === '') return
  expect(hasBadState(item)).toBe(true)
  const fact = item.facts!.find((one) => one.state === 'retired')!
  expect(fact.source).not.toBeNull()
  expect(item.recommendation).toContain(fact.what)
  // A step within a retired project is named as the last it will have, never as "nothing to do".
  expect(item.recommendation).not.toContain('Nothing to do')
})

test('asks 60 questions and more', () => {
  expect(questions.length).toBeGreaterThanOrEqual(60)
})
