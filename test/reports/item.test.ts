import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReportCheck } from '../../src/reports/check.ts'
import { Fingerprinter } from '../../src/reports/fingerprint.ts'
import { checkItem, type Item, readItem } from '../../src/reports/item.ts'

const fingerprint: Fingerprinter['of'] = (check, item) => new Fingerprinter().of(check, item)

const check = (resourceKind = ''): ReportCheck => ({
  id: 'SEC001',
  name: 'Name of the check',
  category: '',
  severity: 'medium',
  resourceKind,
  failed: true,
  notRun: undefined,
  total: 1,
})

describe('readItem', () => {
  test.each<[string, object, string, Item]>([
    [
      'the usual form',
      { Namespace: 'shop', Resource: 'pod/web-65cc8855c-ghk9m', Message: 'Runs as UID 0', Value: '0' },
      'Pod',
      { namespace: 'shop', resource: 'pod/web-65cc8855c-ghk9m', message: 'Runs as UID 0', value: '0' },
    ],
    [
      'the usual form without a value',
      { Namespace: 'shop', Resource: 'service/web', Message: 'No endpoints' },
      'Service',
      { namespace: 'shop', resource: 'service/web', message: 'No endpoints', value: null },
    ],
    [
      'a check of AKS',
      { Issue: 'Not set up', Resource: 'Private Cluster' },
      '',
      { namespace: null, resource: 'Private Cluster', message: 'Not set up', value: null },
    ],
    [
      'a summary of events',
      { Count: 4, Message: '0/3 nodes are available', Reason: 'FailedScheduling', Source: 'default-scheduler' },
      'events',
      {
        namespace: null,
        resource: null,
        message: '0/3 nodes are available',
        value: 'FailedScheduling, Source: default-scheduler',
      },
    ],
    [
      'an event of an object',
      {
        Namespace: 'shop',
        Object: 'Pod/web-65cc8855c-ghk9m',
        Message: 'm',
        Reason: 'r',
        Timestamp: '2026-04-15T09:40:41Z',
      },
      'events',
      { namespace: 'shop', resource: 'Pod/web-65cc8855c-ghk9m', message: 'm', value: 'r' },
    ],
    [
      'a node with figures',
      { Node: 'worker-1', Percentage: '84.00%', Status: 'Warning', Threshold: '80%' },
      'Node',
      {
        namespace: null,
        resource: 'node/worker-1',
        message: 'Percentage: 84.00%, Status: Warning, Threshold: 80%',
        value: null,
      },
    ],
    [
      'a node with issues',
      { Node: 'worker-1', Issues: 'DiskPressure', Status: '❌ Unhealthy' },
      'Node',
      { namespace: null, resource: 'node/worker-1', message: 'DiskPressure', value: 'Status: ❌ Unhealthy' },
    ],
    [
      'a namespace',
      { Issue: '❌ No ResourceQuota', Namespace: 'shop' },
      'Namespace',
      { namespace: 'shop', resource: 'namespace/shop', message: '❌ No ResourceQuota', value: null },
    ],
    [
      'a namespace with labels',
      { Audit: 'N/A', Issue: 'No pod security labels', Namespace: 'shop', Warn: 'N/A' },
      'Namespace',
      {
        namespace: 'shop',
        resource: 'namespace/shop',
        message: 'No pod security labels',
        value: 'Audit: N/A, Warn: N/A',
      },
    ],
    [
      'a pod by its own key',
      { Namespace: 'shop', Pod: 'web-65cc8855c-ghk9m', Issue: 'Pending' },
      'Pod',
      { namespace: 'shop', resource: 'pod/web-65cc8855c-ghk9m', message: 'Pending', value: null },
    ],
    [
      'a pod without its kind',
      { Namespace: 'shop', Resource: 'web-65cc8855c-ghk9m', Message: 'm' },
      'pod',
      { namespace: 'shop', resource: 'pod/web-65cc8855c-ghk9m', message: 'm', value: null },
    ],
    [
      'several issues in a list',
      { Resource: 'pod/web-0', Issues: ['a', 'b', null], Value: true },
      '',
      { namespace: null, resource: 'pod/web-0', message: 'a, b', value: 'true' },
    ],
    [
      'a route with all that identifies it',
      { Namespace: 'shop', HTTPRoute: 'web', Issue: 'No backend', Path: '/cart', Port: 8080 },
      '',
      { namespace: 'shop', resource: 'httproute/web', message: 'No backend', value: 'Path: /cart, Port: 8080' },
    ],
    [
      'an image beside its container',
      { Namespace: 'shop', Pod: 'web-0', Container: 'app', Image: 'nginx:latest', Issue: 'Uses latest', Node: 'n1' },
      'Pod',
      { namespace: 'shop', resource: 'pod/web-0', message: 'Uses latest', value: 'app, Image: nginx:latest' },
    ],
    [
      'an object by its name',
      { Name: 'fast', Issue: 'In-tree provisioner' },
      'StorageClass',
      { namespace: null, resource: 'storageclass/fast', message: 'In-tree provisioner', value: null },
    ],
    [
      'a series of Prometheus',
      { MetricLabels: 'namespace: shop, pod: web-0', Average: '512Mi', Message: 'Uses much memory' },
      'Pod',
      { namespace: 'shop', resource: 'pod/web-0', message: 'Uses much memory', value: null },
    ],
    [
      'a node whose issues are none',
      { Node: 'worker-1', Issues: 'None', Status: '❌ Not Ready' },
      'Node',
      { namespace: null, resource: 'node/worker-1', message: 'Status: ❌ Not Ready', value: null },
    ],
    [
      'figures of history that is too short',
      { 'Available Days': 5.75, 'Required Days': 7, Status: 'Insufficient' },
      'Node',
      {
        namespace: null,
        resource: null,
        message: 'Available Days: 5.75, Required Days: 7, Status: Insufficient',
        value: null,
      },
    ],
    [
      'what changes by itself',
      { Count: 5, Timestamp: 't', Time: 't', FirstSeen: 'f', LastSeen: 'l', Age: '5d' },
      '',
      { namespace: null, resource: null, message: 'Name of the check', value: null },
    ],
    ['nothing', {}, '', { namespace: null, resource: null, message: 'Name of the check', value: null }],
    [
      'blanks and nulls',
      { Namespace: ' ', Resource: '', Message: '  ', Value: null },
      '',
      { namespace: null, resource: null, message: 'Name of the check', value: null },
    ],
  ])('reads %s', (_, item, kind, expected) => {
    expect(readItem(item, check(kind))).toEqual(expected)
  })

  test.each([
    'Pod',
    'Node',
    'Deployment',
    'StatefulSet',
    'DaemonSet',
    'ReplicaSet',
    'Job',
    'CronJob',
    'Service',
    'Ingress',
    'PVC',
    'PV',
    'ConfigMap',
    'Secret',
    'ServiceAccount',
    'Role',
    'Workload',
  ])('takes the name from the key %s', (key) => {
    expect(readItem({ [key]: 'web' }, check())).toMatchObject({ resource: `${key.toLowerCase()}/web` })
    expect(readItem({ [key]: 'kind/web' }, check())).toMatchObject({ resource: 'kind/web' })
  })

  test.each([
    ['shop', 'shop'],
    [' shop ', 'shop'],
    ['cluster-wide-tools', 'cluster-wide-tools'],
    ['🌍 Cluster-Wide', null],
    ['cluster-wide', null],
    ['(cluster)', null],
    ['-', null],
    ['—', null],
    ['N/A', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('reads namespace %j as %j', (Namespace, namespace) => {
    expect(readItem({ Namespace }, check())).toMatchObject({ namespace })
  })

  test.each<[unknown, string]>([
    ['a sentence', 'a sentence'],
    [5, '5'],
    [true, 'true'],
    [['a', 'b'], 'a, b'],
    [[], 'Name of the check'],
    ['  ', 'Name of the check'],
  ])('takes a row that is %j as a message', (item, message) => {
    expect(readItem(item, check())).toEqual({ namespace: null, resource: null, message, value: null })
  })

  test('cuts texts that no report of a person needs', () => {
    const long = 'é'.repeat(5000)
    const item = readItem({ Resource: long, Message: long, Value: [long, long] }, check())
    expect([item.resource, item.message, item.value].map((text) => text?.length)).toEqual([2000, 2000, 2000])
    expect(readItem({ Strange: long, Other: long }, check()).message).toHaveLength(2000)
  })

  test('never throws, and gives each row of any JSON a fingerprint', () => {
    const keys = fc.constantFrom(
      'Namespace',
      'Resource',
      'Object',
      'Pod',
      'Node',
      'Message',
      'Issue',
      'Value',
      'Reason',
      'X',
    )
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(keys, fc.jsonValue())), (value) => {
        const item = readItem(value, check('Pod'))
        expect(Buffer.from(fingerprint('SEC001', item), 'latin1')).toHaveLength(16)
        expect(fingerprint('SEC001', item)).toBe(fingerprint('SEC001', readItem(structuredClone(value), check('Pod'))))
      }),
      { numRuns: 1000 },
    )
  })
})

test('checkItem makes a failed check without rows one finding', () => {
  expect(checkItem(check('Pod'))).toEqual({
    namespace: null,
    resource: null,
    message: 'Name of the check',
    value: null,
  })
})
