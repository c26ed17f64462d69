import type { Controller } from './controller.ts'
import { type At, deployment, job, type KubeObject, many, pod } from './objects.ts'

const rayPods = (at: At, cluster: string, head: string): KubeObject[] => {
  const owner = { kind: 'RayCluster', name: cluster }
  const template = { image: 'rayproject/ray:2.41.0', labels: { 'ray.io/cluster': cluster } }
  return [
    pod(at, head, { ...template, container: 'ray-head' }, { owner }),
    ...many(2, () =>
      pod(
        at,
        `${cluster}-small-group-worker-${at.draw('safe', 5)}`,
        { ...template, container: 'ray-worker' },
        { owner },
      ),
    ),
  ]
}

/** Controllers of machine learning. */
export const training: Record<string, Controller> = {
  'KubeRay RayService': {
    namespace: 'ray-serve',
    source: 'ray-project/kuberay, utils.GenerateRayClusterName: NAME-raycluster-SUFFIX, a new one for each upgrade',
    objects: (at) => {
      const cluster = `summarizer-raycluster-${at.draw('safe', 5)}`
      return rayPods(at, cluster, `${cluster}-head-${at.draw('safe', 5)}`)
    },
  },
  'KubeRay RayJob': {
    namespace: 'ray-jobs',
    source: 'ray-project/kuberay 1.4: NAME-SUFFIX for the cluster, CLUSTER-head for its head; the submitter is a Job',
    objects: (at) => {
      const cluster = `nightly-${at.draw('safe', 5)}`
      return [
        ...rayPods(at, cluster, `${cluster}-head`),
        ...job(at, 'nightly', { image: 'rayproject/ray:2.41.0', container: 'ray-job-submitter' }),
      ]
    },
  },
  JobSet: {
    namespace: 'jobset',
    source:
      'kubernetes-sigs/jobset, docs/concepts: JOBSET-REPLICATEDJOB-INDEX and pods JOB-INDEX-SUFFIX; the set has a generateName',
    objects: (at) => {
      const set = `web-jl-${at.draw('safe', 5)}`
      return ['ps', 'worker'].flatMap((role) => {
        const name = `${set}-${role}-0`
        const [first, started] = job(
          at,
          name,
          { image: 'tensorflow/tensorflow:2.17.0', container: role },
          { owner: { kind: 'JobSet', name: set } },
        )
        started!.metadata.name = `${name}-0-${at.draw('safe', 5)}`
        return [first!, started!]
      })
    },
  },
  'Kubeflow Katib': {
    namespace: 'katib',
    source:
      'kubeflow/katib, suggestion client: trials are EXPERIMENT-SUFFIX of eight letters, their PyTorchJob has pods TRIAL-worker-0',
    objects: (at) => [
      ...many(2, () => {
        const trial = `random-${at.draw('safe', 8)}`
        const owner = { kind: 'PyTorchJob', name: trial }
        const template = { image: 'kubeflowkatib/pytorch-mnist-cpu:v0.17.0', container: 'pytorch' }
        return ['master', 'worker'].map((role) => pod(at, `${trial}-${role}-0`, template, { owner }))
      }).flat(),
      ...deployment(at, 'random-random', { image: 'kubeflowkatib/suggestion-hyperopt:v0.17.0' }),
    ],
  },
  'Kubeflow Trainer': {
    namespace: 'trainer',
    source: 'kubeflow/trainer: a TrainJob has a JobSet of its name, with the Job NAME-node-0',
    objects: (at) => {
      const name = `${at.draw('low', 1).replace(/\d/, 'k')}${at.draw('hex', 10)}`
      const [first, started] = job(
        at,
        `${name}-node-0`,
        { image: 'pytorch/pytorch:2.7.1', container: 'node' },
        { owner: { kind: 'JobSet', name } },
      )
      started!.metadata.name = `${name}-node-0-0-${at.draw('safe', 5)}`
      return [first!, started!]
    },
  },
  Volcano: {
    namespace: 'volcano-jobs',
    source: 'volcano-sh/volcano, pkg/controllers/job/helpers: pods JOB-TASK-INDEX, owned by a Job of batch.volcano.sh',
    objects: (at) => {
      const name = `etl-${at.draw('safe', 5)}`
      const owner = { kind: 'Job', name }
      return ['driver', 'executor'].flatMap((task) =>
        many(2, (i) => pod(at, `${name}-${task}-${i}`, { image: 'apache/spark:3.5.3', container: task }, { owner })),
      )
    },
  },
  Flyte: {
    namespace: 'flytesnacks-development',
    source:
      'flyteorg/flyte, flytepropeller: pods EXECUTION-NODE-ATTEMPT with a container of this name; an id has 20 letters',
    objects: (at) => {
      const execution = `f${at.draw('hex', 19)}`
      const image = 'cr.flyte.org/flyteorg/flytekit:py3.12-1.15.0'
      const owner = { kind: 'flyteworkflow', name: execution }
      return many(2, (i) => `${execution}-n${i}-0`).map((name) =>
        pod(at, name, { image, container: name }, { owner, phase: 'Succeeded' }),
      )
    },
  },
}
