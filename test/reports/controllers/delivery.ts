import type { Controller } from './controller.ts'
import { account, deployment, job, many, object, pod, role, statefulSet, uuid } from './objects.ts'

/** Controllers of releases, pipelines and events. */
export const delivery: Record<string, Controller> = {
  'Argo Rollouts': {
    namespace: 'rollouts',
    source: 'argoproj/argo-rollouts: ReplicaSets of a Rollout, and metricproviders/job: UID.METRIC.COUNT',
    objects: (at) => {
      const hash = at.draw('safe', 9)
      const name = `checkout-${hash}`
      const template = { image: 'shop/checkout:7.1', labels: { 'rollouts-pod-template-hash': hash } }
      return [
        ...many(2, () => pod(at, `${name}-${at.draw('safe', 5)}`, template, { owner: { kind: 'ReplicaSet', name } })),
        ...job(
          at,
          `${uuid(at.draw)}.smoke.1`,
          { image: 'shop/smoke:1.0' },
          { owner: { kind: 'AnalysisRun', name: `checkout-${hash}-${at.day}` } },
        ),
      ]
    },
  },
  Flagger: {
    namespace: 'flagger',
    source: 'fluxcd/flagger: TARGET-primary beside TARGET, which has no replicas between two canaries',
    objects: (at) =>
      deployment(
        at,
        'podinfo-primary',
        { image: 'ghcr.io/stefanprodan/podinfo:6.7.1', hasRequests: true, hasProbes: true },
        { replicas: 2 },
      ),
  },
  Spinnaker: {
    namespace: 'spinnaker',
    source:
      'spinnaker.io/docs/reference/providers/kubernetes-v2/resource-versioning: ReplicaSets and ConfigMaps NAME-v041',
    objects: (at) => {
      const version = `v0${40 + at.day}`
      const name = `api-${version}`
      return [
        object(at, 'ReplicaSet', name, { spec: {} }),
        ...many(2, () =>
          pod(at, `${name}-${at.draw('safe', 5)}`, { image: 'shop/api:9.1' }, { owner: { kind: 'ReplicaSet', name } }),
        ),
        object(at, 'ConfigMap', `settings-${version}`, { data: { key: 'value' } }),
      ]
    },
  },
  'Istio revisions': {
    namespace: 'istio-system',
    source:
      'istio/istio, manifests/charts/istio-control: istiod-REVISION, istiod-clusterrole-REVISION-NAMESPACE; a revision is a version such as 1-24-1',
    objects: (at) => {
      const revision = `1-24-${at.day}`
      const name = `istiod-${revision}`
      return [
        account(at, name),
        ...deployment(at, name, {
          image: `docker.io/istio/pilot:1.24.${at.day}`,
          container: 'discovery',
          account: name,
          hasProbes: true,
        }),
        ...role(at, 'ClusterRole', `istiod-clusterrole-${revision}-istio-system`, name, [
          { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'get', 'watch', 'list', 'update', 'delete'] },
        ]),
        object(at, 'Service', name, {
          spec: {
            type: 'ClusterIP',
            selector: { 'istio.io/rev': revision },
            ports: [{ port: 15012, targetPort: 15012 }],
          },
        }),
      ]
    },
  },
  'Temporal worker versions': {
    namespace: 'temporal',
    source:
      'temporalio/temporal-worker-controller, ComputeVersionedDeploymentName: WORKER-BUILD, a build is the tag and a hash',
    objects: (at) =>
      deployment(
        at,
        `checkout-worker-1-2-${at.day}-${at.draw('hex', 4)}`,
        { image: `shop/worker:1.2.${at.day}`, hasRequests: true },
        { replicas: 2, owner: { kind: 'TemporalWorkerDeployment', name: 'checkout-worker' } },
      ),
  },
  'Helm hook with a revision': {
    namespace: 'hooks',
    source: 'charts with {{ .Release.Revision }} in names of hooks, such as GitLab: app-migrations-41',
    objects: (at) => [
      ...job(at, `shop-migrations-${40 + at.day}`, { image: 'shop/rails:17.6', container: 'migrations' }),
      ...job(at, `gitlab-migrations-${at.draw('hex', 7)}`, {
        image: 'registry.gitlab.com/gitlab-org/build/cng/gitlab-toolbox-ee:v17.6.0',
        container: 'migrations',
      }),
    ],
  },
  'Rancher operations': {
    namespace: 'cattle-system',
    source: 'rancher/rancher, pkg/catalogv2/helmop: helm-operation-SUFFIX, a pod without a controller',
    objects: (at) =>
      many(2, () =>
        pod(
          at,
          `helm-operation-${at.draw('safe', 5)}`,
          { image: 'rancher/shell:v0.3.0', container: 'helm', sidecars: ['proxy'] },
          { phase: 'Succeeded' },
        ),
      ),
  },
  'Rancher Fleet': {
    namespace: 'fleet-local',
    source: 'rancher/fleet, gitjob controller: GITREPO-HASH of five hex digits by repository and commit',
    objects: (at) =>
      job(
        at,
        `shop-config-${at.draw('hex', 5)}`,
        { image: 'rancher/fleet:v0.11.2', container: 'fleet' },
        { owner: { kind: 'GitRepo', name: 'shop-config' } },
      ),
  },
  'Argo Events': {
    namespace: 'argo-events',
    source: 'argoproj/argo-events, sensors/resource.go: GenerateName SENSOR-sensor-, a Deployment',
    objects: (at) => [
      ...deployment(
        at,
        `webhook-eventsource-${at.draw('safe', 5)}`,
        { image: 'quay.io/argoproj/argo-events:v1.9.3' },
        { owner: { kind: 'EventSource', name: 'webhook' } },
      ),
      ...deployment(
        at,
        `orders-sensor-${at.draw('safe', 5)}`,
        { image: 'quay.io/argoproj/argo-events:v1.9.3' },
        { owner: { kind: 'Sensor', name: 'orders' } },
      ),
    ],
  },
  'Tekton affinity assistant': {
    namespace: 'pipelines',
    source:
      'tektoncd/pipeline, getAffinityAssistantName: affinity-assistant- and 10 hex digits, a StatefulSet of a PipelineRun',
    objects: (at) =>
      statefulSet(
        at,
        `affinity-assistant-${at.draw('hex', 10)}`,
        { image: 'registry.k8s.io/pause:3.10', container: 'affinity-assistant', hasRequests: true },
        { owner: { kind: 'PipelineRun', name: `build-${at.draw('safe', 5)}` } },
      ),
  },
  'Camel K': {
    namespace: 'camel-k',
    source: 'apache/camel-k, buildPodName: camel-k-KIT-builder, a kit is kit- and an xid of 20 letters',
    objects: (at) => {
      const kit = `kit-c${at.draw('low', 19)}`
      return [
        pod(
          at,
          `camel-k-${kit}-builder`,
          { image: 'docker.io/apache/camel-k:2.5.1', container: 'builder' },
          { owner: { kind: 'Build', name: kit }, phase: 'Succeeded' },
        ),
      ]
    },
  },
}
