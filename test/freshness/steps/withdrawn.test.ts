import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

/** Releases that their own notes take back, or the module file; and the ones beside them. */
test.each([
  ['traefik:v2.8.6', 'traefik:v2.8.7'],
  ['victoriametrics/victoria-metrics:v1.140.0', 'victoriametrics/victoria-metrics:v1.139.0'],
  ['victoriametrics/victoria-metrics:v1.136.4', 'victoriametrics/victoria-metrics:v1.136.3'],
  ['victoriametrics/victoria-metrics:v1.122.19', 'victoriametrics/victoria-metrics:v1.122.20'],
  ['victoriametrics/operator:v0.71.0', 'victoriametrics/operator:v0.70.0'],
  ['quay.io/jetstack/cert-manager-controller:v1.19.0', 'quay.io/jetstack/cert-manager-controller:v1.19.1'],
  ['quay.io/jetstack/cert-manager-controller:v1.6.0', 'quay.io/jetstack/cert-manager-controller:v1.6.1'],
  ['quay.io/jetstack/cert-manager-controller:v1.5.4', 'quay.io/jetstack/cert-manager-controller:v1.5.5'],
  [
    'public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver:v1.11.0',
    'public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver:v1.11.2',
  ],
  ['metallb/controller:v0.4.4', 'metallb/controller:v0.4.5'],
  ['otel/opentelemetry-collector:0.69.0', 'otel/opentelemetry-collector:0.70.0'],
  ['chart victoria-logs-collector 0.2.16', 'chart victoria-logs-collector 0.3.0'],
  ['chart victoria-metrics-operator 0.60.0', 'chart victoria-metrics-operator 0.61.0'],
  ['hetznercloud/hcloud-csi-driver:v2.14.0', 'hetznercloud/hcloud-csi-driver:v2.15.0'],
  ['chart hcloud-csi 2.14.0', 'chart hcloud-csi 2.15.0'],
  ['ghcr.io/techarohq/anubis:v1.21.2', 'ghcr.io/techarohq/anubis:v1.21.3'],
  ['ghcr.io/element-hq/synapse:v1.135.1', 'ghcr.io/element-hq/synapse:v1.135.2'],
  ['matrixdotorg/synapse:v1.50.0', 'matrixdotorg/synapse:v1.50.1'],
  ['nginx/nginx-prometheus-exporter:1.5.2', 'nginx/nginx-prometheus-exporter:1.5.3'],
  ['lightbend/kafka-lag-exporter:0.5.4', 'lightbend/kafka-lag-exporter:0.5.5'],
  ['oryd/kratos:v0.12.0', 'oryd/kratos:v0.13.0'],
  ['headscale/headscale:0.12.0', 'headscale/headscale:0.12.1'],
  ['ghcr.io/maxmind/geoipupdate:v7.0.0', 'ghcr.io/maxmind/geoipupdate:v7.0.1'],
  ['favonia/cloudflare-ddns:1.14.1', 'favonia/cloudflare-ddns:1.14.2'],
])('%s is withdrawn, and %s is not', (bad, good) => {
  expect(ask(bad).states).toContain('withdrawn')
  expect(ask(bad).recommendation).toMatch(/^Leave it: /)
  expect(ask(good).states ?? []).not.toContain('withdrawn')
})

test.each([
  ['quay.io/coreos/configmap-reload:v0.0.1', ['frozen']],
  ['quay.io/coreos/prometheus-operator:v0.40.0', ['moved']],
  ['quay.io/coreos/butane:release', []],
  ['quay.io/coreos/etcd:v3.5.9', []],
  ['quay.io/roboll/helmfile:v0.144.0', ['moved']],
  ['gcr.io/google_containers/pause-amd64:3.1', ['frozen']],
  ['k8s.gcr.io/some/thing:v1', ['frozen']],
])('the repository of %s is %j', (what, states) => {
  const places = (ask(what).states ?? []).filter((state) => ['frozen', 'moved', 'closed', 'paid'].includes(state))
  expect(places).toEqual(states)
})
