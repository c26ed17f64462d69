import type { Controller } from './controller.ts'
import { backOff, type Draw, dated, job, many, pod, uuid } from './objects.ts'

const adjectives = 'stoic amber brave crimson dapper eager fluffy golden humble ivory jolly lucky mottled nimble'.split(
  ' ',
)
const animals = 'panda otter heron lynx badger falcon gecko ibis jackal koala lemur marten narwhal ocelot'.split(' ')

/** Time in a ULID, 10 letters, then 16 at random. */
const ulid = (draw: Draw): string => `01kb8${draw('crockford', 21)}`

/** Controllers of jobs. */
export const batch: Record<string, Controller> = {
  Prefect: {
    namespace: 'prefect',
    source:
      'PrefectHQ/prefect, prefect-kubernetes worker: generateName of the Job is the slug of the flow run, two words',
    objects: (at) =>
      many(2, () => {
        const template = {
          image: 'prefecthq/prefect:3-latest',
          container: 'prefect-job',
          labels: { 'prefect.io/flow-name': 'etl' },
        }
        return job(at, `${at.draw.of(adjectives)}-${at.draw.of(animals)}-${at.draw('safe', 5)}`, template)
      }).flat(),
  },
  'KEDA ScaledJob': {
    namespace: 'keda-jobs',
    source: 'kedacore/keda, pkg/scaling/executor/scale_jobs.go: GenerateName: scaledJob.GetName() + "-"',
    objects: (at) =>
      many(2, () =>
        job(
          at,
          `consumer-${at.draw('safe', 5)}`,
          { image: 'shop/consumer:4.2' },
          { owner: { kind: 'ScaledJob', name: 'consumer' }, phase: 'Running' },
        ),
      ).flat(),
  },
  Dagster: {
    namespace: 'dagster',
    source: 'dagster-io/dagster, dagster_k8s: dagster-run-UUID and dagster-step-HASH',
    objects: (at) => [
      ...job(at, `dagster-run-${uuid(at.draw)}`, { image: 'shop/dagster:1.9.3', container: 'dagster' }),
      ...job(at, `dagster-step-${at.draw('hex', 32)}`, { image: 'shop/dagster:1.9.3', container: 'dagster' }),
    ],
  },
  Testkube: {
    namespace: 'testkube',
    source: 'kubeshop/testkube: the Job of a test workflow is named by its execution, an ObjectId of 24 hex digits',
    objects: (at) =>
      job(at, `67f${at.draw('hex', 21)}`, {
        image: 'grafana/k6:0.54.0',
        container: '1',
        labels: { 'testkube.io/resource': 'execution' },
      }),
  },
  Airbyte: {
    namespace: 'airbyte',
    source: 'airbytehq/airbyte-platform, PodNameGenerator: replication-job-ID-attempt-N, a pod without a controller',
    objects: (at) =>
      many(2, (i) =>
        pod(
          at,
          `replication-job-${4100 + at.day * 24 + i}-attempt-0`,
          {
            image: 'airbyte/container-orchestrator:1.5.1',
            container: 'orchestrator',
            sidecars: ['source', 'destination'],
          },
          { phase: 'Succeeded' },
        ),
      ),
  },
  Woodpecker: {
    namespace: 'woodpecker',
    source:
      'woodpecker-ci/woodpecker, pipeline/backend/kubernetes: "wp-" + step.UUID, a ULID; a pod without a controller',
    objects: (at) =>
      ['docker.io/woodpeckerci/plugin-git:2.6.0', 'golang:1.23'].map((image) =>
        pod(
          at,
          `wp-${ulid(at.draw)}`,
          { image, labels: { step: image.includes('git') ? 'clone' : 'build' } },
          { phase: 'Succeeded' },
        ),
      ),
  },
  Drone: {
    namespace: 'drone',
    source: 'drone-runners/drone-runner-kube: drone- and 20 letters, a pod without a controller',
    objects: (at) => [
      pod(at, `drone-${at.draw('low', 20)}`, {
        image: 'golang:1.23',
        container: 'build',
        sidecars: ['clone', 'publish'],
      }),
    ],
  },
  Buildkite: {
    namespace: 'buildkite',
    source: 'buildkite/agent-stack-k8s: Jobs buildkite-UUID',
    objects: (at) =>
      job(at, `buildkite-${uuid(at.draw)}`, { image: 'alpine:3.20', container: 'container-0', sidecars: ['agent'] }),
  },
  AWX: {
    namespace: 'awx',
    source: 'ansible/awx, PodManager.pod_name: automation-job-ID-SUFFIX, a pod without a controller',
    objects: (at) => {
      const template = { image: 'quay.io/ansible/awx-ee:24.6.1', container: 'worker' }
      const made = pod(at, `automation-job-${210 + at.day}-${at.draw('safe', 5)}`, template)
      return [made, backOff(at, made, 'worker')]
    },
  },
  'dated Job': {
    namespace: 'reports',
    source: 'kubectl create job --from=cronjob/report report-$(date +%Y%m%d), as in many guides; no controller',
    objects: (at) => job(at, `report-${dated(at)}`, { image: 'shop/report:2.2', hasRequests: true }),
  },
  Litmus: {
    namespace: 'litmus',
    source: 'litmuschaos/chaos-runner: Jobs EXPERIMENT-SUFFIX of six letters',
    objects: (at) =>
      job(at, `pod-delete-${at.draw('low', 6)}`, { image: 'litmuschaos/go-runner:3.12.0', container: 'pod-delete' }),
  },
  Sonobuoy: {
    namespace: 'sonobuoy',
    source: 'vmware-tanzu/sonobuoy, pkg/plugin/driver/job: sonobuoy-PLUGIN-job-SESSION of 16 hex digits',
    objects: (at) => [
      pod(
        at,
        `sonobuoy-e2e-job-${at.draw('hex', 16)}`,
        { image: 'registry.k8s.io/conformance:v1.33.6', container: 'e2e', sidecars: ['sonobuoy-worker'] },
        { owner: { kind: 'Pod', name: 'sonobuoy', isPlain: true } },
      ),
    ],
  },
}
