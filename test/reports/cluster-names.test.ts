import { describe, expect, test } from 'vitest'
import { ClusterNames } from '../../src/reports/cluster-names.ts'
import { nodeNamesIn, revisionsIn } from '../../src/reports/reported-names.ts'

const link = (resource: string, owner: string) => ({ namespace: 'shop', resource, owner })

describe('ClusterNames', () => {
  const nodes = new Set(['talos-9x2-abc', 'talos-k1f-xyz', '10.0.3.4', 'aks-user-39088964-vmss00000k'])

  test.each([
    ['node/talos-9x2-abc', 'node/*'],
    ['nodes/10.0.3.4', 'node/*'],
    ['node/aks-user-39088964-vmss00000k', 'node/aks-user'],
    ['node/worker-1', 'node/worker-1'],
    ['pod/etcd-talos-9x2-abc', 'pod/etcd'],
    ['pod/kube-proxy-10.0.3.4', 'pod/kube-proxy'],
    ['configmap/etcd-talos-9x2-abc', 'configmap/etcd-talos-9x2-abc'],
  ])('names %s %s, by the machines of the report', (resource, expected) => {
    expect(new ClusterNames({ nodes }).resource('shop', resource)).toBe(expected)
  })

  test('names machines and their pods in a text', () => {
    const text = 'Node talos-9x2-abc runs etcd-talos-k1f-xyz. It waits for 10.0.3.4.'
    expect(new ClusterNames({ nodes }).text(text)).toBe('Node * runs etcd. It waits for *.')
  })

  test('names a pod by the template in its chain of owners, not by what an operator made it of', () => {
    const names = new ClusterNames({
      owners: [
        link('pod/logs-es-hot-0', 'statefulset/logs-es-hot'),
        link('statefulset/logs-es-hot', 'elasticsearch/logs'),
        link('pod/logs-kb-65cc8855c-ghk9m', 'replicaset/logs-kb-65cc8855c'),
        link('replicaset/logs-kb-65cc8855c', 'deployment/logs-kb'),
        link('deployment/logs-kb', 'kibana/logs'),
        link('pod/etl-0123456789abcdef-exec-1', 'pod/etl-fedcba9876543210-driver'),
        link('pod/hello-00042-deployment-65cc8855c-ghk9m', 'replicaset/hello-00042-deployment-65cc8855c'),
        link('replicaset/hello-00042-deployment-65cc8855c', 'deployment/hello-00042-deployment'),
        link('deployment/hello-00042-deployment', 'service/hello'),
        link('pod/orders-mongo-0', 'perconaservermongodb/orders-mongo'),
      ],
    })
    const stems = [...'logs-es-hot-0 logs-kb-65cc8855c-ghk9m etl-0123456789abcdef-exec-1'.split(' '), 'orders-mongo-0']
    const named = [...stems, 'hello-00042-deployment-65cc8855c-ghk9m'].map((pod) =>
      names.resource('shop', `pod/${pod}`),
    )
    expect(named).toEqual(['pod/logs-es-hot', 'pod/logs-kb', 'pod/etl-exec', 'pod/orders-mongo', 'pod/hello'])
  })

  test('names a pod by the top of its chain of owners, in its namespace only', () => {
    const names = new ClusterNames({
      owners: [link('pod/odd-name-of-it', 'replicaset/web-x'), link('replicaset/web-x', 'deployment/web')],
    })
    expect(names.resource('shop', 'Pod/odd-name-of-it')).toBe('pod/web')
    expect(names.resource('other', 'pod/odd-name-of-it')).toBe('pod/odd-name-of-it')
    expect(names.text('pod odd-name-of-it_shop')).toBe('pod web_shop')
  })

  test('gives a pod the same name with an inventory as without', () => {
    const owned = new ClusterNames({
      owners: [
        link('pod/web-65cc8855c-ghk9m', 'replicaset/web-65cc8855c'),
        link('replicaset/web-65cc8855c', 'deployment/web'),
        link('pod/db-0', 'statefulset/db'),
        link('pod/arm-x508d-runner-azn38', 'ephemeralrunner/arm-x508d-runner-azn38'),
        link('pod/train-kt66h-step-1124897966', 'workflow/train-kt66h'),
      ],
    })
    const pods = ['web-65cc8855c-ghk9m', 'db-0', 'arm-x508d-runner-azn38', 'train-kt66h-step-1124897966']
    for (const pod of pods.map((name) => `pod/${name}`)) {
      expect(owned.resource('shop', pod)).toBe(new ClusterNames().resource('shop', pod))
    }
  })

  test('counts the pods of a template and the machines of a pool', () => {
    const names = new ClusterNames({
      nodes,
      owners: [link('pod/db-0', 'statefulset/db'), link('pod/db-1', 'statefulset/db')],
    })
    expect(names.toSize('shop', 'pod/db')).toBe(2)
    expect(names.toSize('shop', 'pod/web')).toBeUndefined()
    expect(names.toSize(null, 'node/*')).toBe(3)
    expect(names.toSize(null, 'node/aks-user')).toBe(1)
  })

  test('looks at the machines once, however many pools are asked for', () => {
    let looks = 0
    class Machines extends Set<string> {
      override [Symbol.iterator]() {
        looks++
        return super[Symbol.iterator]()
      }
    }
    const names = new ClusterNames({ nodes: new Machines(nodes) })
    for (let i = 0; i < 10; i++) names.toSize(null, `node/pool-${i}`)
    expect(looks).toBe(1)
  })
})

test('finds the machines that a report names, wherever its rows stand', () => {
  const report = {
    a: [
      { Node: 'talos-9x2-abc', Status: '✅ Healthy' },
      { Pod: 'web', Node: '10.0.3.4' },
    ],
    note: '"Node": "no"',
  }
  for (const space of [0, 2]) {
    expect([...nodeNamesIn(Buffer.from(JSON.stringify(report, null, space)))]).toEqual(['talos-9x2-abc', '10.0.3.4'])
  }
})

test('names a pod of a DeploymentConfig, whose revisions are those with a deployer', () => {
  const report = { a: [{ Resource: 'pod/web-3-deploy' }, { Pod: 'api-v2-12-deploy' }, { Name: 'my-deploy' }] }
  const revisions = revisionsIn(Buffer.from(JSON.stringify(report)))
  expect([...revisions]).toEqual(['web-3', 'api-v2-12'])
  const names = new ClusterNames({ revisions })
  expect(names.resource('shop', 'pod/web-3-x7k2p')).toBe('pod/web')
  expect(names.resource('shop', 'pod/worker-1-x7k2p')).toBe('pod/worker-1')
  expect(names.resource('shop', 'pod/web-3-deploy')).toBe('pod/web-deploy')
})

test('a run that people name has the steps of the template that its labels name', () => {
  const link = (resource: string, owner: string) => ({ namespace: 'etl', resource, owner })
  const names = new ClusterNames({
    owners: ['fox', 'owl'].flatMap((run, i) => [
      link(`pod/nightly-${run}-load-112489796${i}`, `workflow/nightly-${run}`),
      link(`pod/nightly-${run}-store-912489796${i}`, `workflow/nightly-${run}`),
      link(`workflow/nightly-${run}`, 'workflowtemplate/etl'),
    ]),
  })
  const templateOf = (pod: string) => names.resource('etl', `pod/${pod}`)
  expect([templateOf('nightly-fox-load-1124897960'), templateOf('nightly-owl-load-1124897961')]).toEqual([
    'pod/etl-load',
    'pod/etl-load',
  ])
  expect(templateOf('nightly-owl-store-9124897961')).toBe('pod/etl-store')
})
