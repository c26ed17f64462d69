import { describe, expect, test } from 'vitest'
import { InventoryBuilder } from '../../src/scan/inventory-builder.ts'
import { cronJob, deployment, job, pod } from './cluster.ts'

const controller = (kind: string, name: string) => [{ kind, name, controller: true }]

function replicaSet(name: string, owner?: { kind: string; name: string }) {
  const ownerReferences = owner ? controller(owner.kind, owner.name) : []
  return { ...deployment(name, ['app:1']), kind: 'ReplicaSet', metadata: { name, namespace: 'shop', ownerReferences } }
}

function build(...objects: unknown[]) {
  const builder = new InventoryBuilder()
  for (const object of objects) builder.add(object)
  const inventory = builder.finish()
  return {
    workloads: inventory.images.map(({ workloadKind, workloadName }) => `${workloadKind}/${workloadName}`),
    chain: inventory.owners.map(({ kind, name, ownerKind, ownerName }) => `${kind}/${name} ${ownerKind}/${ownerName}`),
    images: inventory.images.map(({ fullRef }) => fullRef),
    charts: inventory.helmCharts.length,
  }
}

const owned = (kind: string, name: string, labels: Record<string, string> = {}) =>
  pod(`${name}-x7k2p`, ['app:1'], { owner: { kind, name }, labels })

describe('a chain of controllers ends at what a person edits', () => {
  test('a Deployment, by its ReplicaSet', () => {
    const web = pod('web-65cc8855c-ghk9m', ['app:1'], { deployment: 'web' })
    const chain = ['Pod/web-65cc8855c-ghk9m ReplicaSet/web-65cc8855c', 'ReplicaSet/web-65cc8855c Deployment/web']
    expect(
      build(deployment('web', ['app:1']), replicaSet('web-65cc8855c', { kind: 'Deployment', name: 'web' }), web),
    ).toMatchObject({ workloads: ['Deployment/web'], chain })
    // By the labels of the pod, where ReplicaSets may not be read.
    expect(build(web)).toMatchObject({ workloads: ['Deployment/web'], chain })
  })

  test('a Rollout of Argo, by its ReplicaSet', () => {
    const labels = { 'rollouts-pod-template-hash': '65cc8855c' }
    const running = pod('web-65cc8855c-ghk9m', ['app:1'], {
      owner: { kind: 'ReplicaSet', name: 'web-65cc8855c' },
      labels,
    })
    const set = replicaSet('web-65cc8855c', { kind: 'Rollout', name: 'web' })
    expect(build(set, running).workloads).toEqual(['Rollout/web'])
    expect(build(running).workloads).toEqual(['Rollout/web'])
  })

  test('a resource of which a controller makes pods, or a StatefulSet that makes pods', () => {
    const set = { ...deployment('prometheus-k8s', ['app:1']), kind: 'StatefulSet' }
    const operated = { ...set, metadata: { ...set.metadata, ownerReferences: controller('Prometheus', 'k8s') } }
    expect(build(owned('CloneSet', 'web')).workloads).toEqual(['CloneSet/web'])
    expect(build(operated, owned('StatefulSet', 'prometheus-k8s')).workloads).toEqual(['Prometheus/k8s'])
    // Its template, when it has no pods.
    expect(build(operated).workloads).toEqual(['Prometheus/k8s'])
  })

  test('a static pod has its own name without that of its node', () => {
    const mirror = {
      annotations: { 'kubernetes.io/config.mirror': 'x' },
      owner: { kind: 'Node', name: 'cp-1.example' },
    }
    const pods = ['cp-1.example', 'cp-2'].map((node) =>
      pod(`kube-apiserver-${node}`, ['apiserver:1'], { ...mirror, owner: { kind: 'Node', name: node }, node }),
    )
    expect(build(...pods).workloads).toEqual(['Pod/kube-apiserver'])
  })

  test('a CronJob, and an indexed Job', () => {
    const nightly = pod('nightly-29000123-abcde', ['app:1'], { owner: { kind: 'Job', name: 'nightly-29000123' } })
    expect(
      build(cronJob('nightly', ['app:1']), job('nightly-29000123', ['app:1'], 'nightly'), nightly).workloads,
    ).toEqual(['CronJob/nightly'])
    const indexed = [0, 1].map((i) => pod(`import-${i}-x7k2p`, ['app:1'], { owner: { kind: 'Job', name: 'import' } }))
    expect(build(job('import', ['app:1']), ...indexed).workloads).toEqual(['Job/import'])
  })

  test('a Job that a person named after a day belongs to no CronJob', () => {
    const running = pod('import-20261123-x7k2p', ['app:1'], { owner: { kind: 'Job', name: 'import-20261123' } })
    expect(build(running, cronJob('import', ['other:1']), job('import-20261123', ['app:1'])).workloads).toContain(
      'Job/import-20261123',
    )
  })

  test.each<[string, unknown[], string]>([
    [
      'a Service of Knative',
      [
        replicaSet('web-00001-deployment-65cc8855c', { kind: 'Deployment', name: 'web-00001-deployment' }),
        {
          ...deployment('web-00001-deployment', ['app:1']),
          metadata: {
            name: 'web-00001-deployment',
            namespace: 'shop',
            ownerReferences: controller('Revision', 'web-00001'),
          },
        },
        pod('web-00001-deployment-65cc8855c-ghk9m', ['app:1'], {
          deployment: 'web-00001-deployment',
          labels: { 'serving.knative.dev/service': 'web' },
        }),
      ],
      'Service/web',
    ],
    ['a Workflow of Argo', [owned('Workflow', 'build')], 'Workflow/build'],
    [
      'a WorkflowTemplate of Argo',
      [owned('Workflow', 'nightly-fox', { 'workflows.argoproj.io/workflow-template': 'etl' })],
      'WorkflowTemplate/etl',
    ],
    [
      'a plan of upgrades',
      [owned('Job', 'apply-agents-on-node-1-with-ab12', { 'upgrade.cattle.io/plan': 'agents' })],
      'Plan/agents',
    ],
    ['a CronWorkflow of Argo', [owned('Workflow', 'etl-1732406400')], 'CronWorkflow/etl'],
    [
      'a Pipeline of Tekton',
      [owned('TaskRun', 'build-run-4fx-compile', { 'tekton.dev/pipeline': 'build', 'tekton.dev/task': 'compile' })],
      'Pipeline/build',
    ],
    ['a Task of Tekton', [owned('TaskRun', 'lint-run-4fx', { 'tekton.dev/task': 'lint' })], 'Task/lint'],
    [
      'a SparkApplication, by its driver',
      [
        pod('pi-1-exec-1', ['app:1'], { owner: { kind: 'Pod', name: 'pi-driver' } }),
        pod('pi-driver', ['app:1'], { owner: { kind: 'SparkApplication', name: 'pi' } }),
      ],
      'SparkApplication/pi',
    ],
    [
      'a ScheduledSparkApplication',
      [owned('SparkApplication', 'pi-1732406400123456789')],
      'ScheduledSparkApplication/pi',
    ],
    [
      'a set of runners of ARC',
      [owned('EphemeralRunner', 'arc-4fx7k-runner-9hj2p', { 'actions.github.com/scale-set-name': 'arc' })],
      'AutoscalingRunnerSet/arc',
    ],
  ])('%s', (_, objects, workload) => {
    expect([...new Set(build(...objects).workloads)]).toEqual([workload])
    expect([...new Set(build(...[...objects].reverse()).workloads)]).toEqual([workload])
  })

  test('owners in a circle end somewhere', () => {
    const [a, b] = [owned('ReplicaSet', 'a'), replicaSet('a', { kind: 'ReplicaSet', name: 'b' })]
    expect(build(a, b, replicaSet('b', { kind: 'ReplicaSet', name: 'a' })).workloads).toHaveLength(1)
  })
})

describe('what has ended', () => {
  const ended = (object: { metadata: object }) => ({
    ...object,
    status: { conditions: [{ type: 'Complete', status: 'True' }] },
  })

  test('a Job that has ended does not come and go with how many are kept', () => {
    const helm = { 'helm.sh/chart': 'shop-1.2.3', 'app.kubernetes.io/managed-by': 'Helm' }
    const old = pod('migrate-x7k2p', ['migrate:1'], {
      owner: { kind: 'Job', name: 'migrate' },
      phase: 'Succeeded',
      labels: helm,
    })
    expect(build(ended(job('migrate', ['migrate:1'])), old)).toMatchObject({ images: [], charts: 0 })
    const jobs = [0, 1, 2].map((i) => ended(job(`nightly-2900012${i}`, [`nightly:${i}`], 'nightly')))
    expect(build(cronJob('nightly', ['nightly:3']), ...jobs).images).toEqual(['nightly:3'])
    // The latest stands for a CronJob that could not be read, however many there are.
    expect(build(...jobs).images).toEqual(['nightly:2'])
    expect(build(jobs[2]).images).toEqual(['nightly:2'])
  })

  test('a Job that has not begun has the image of its template', () => {
    expect(build(job('migrate', ['migrate:1'])).images).toEqual(['migrate:1'])
  })
})
