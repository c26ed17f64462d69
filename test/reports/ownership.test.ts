import { expect, test } from 'vitest'
import { Ownership } from '../../src/reports/ownership.ts'

const cluster = { cluster_name: 'prod-eu', environment: 'prod' }
const names = (rules: ConstructorParameters<typeof Ownership>[0], facts?: Parameters<Ownership['in']>[1]) => {
  const own = new Ownership(rules).in(cluster, facts)
  return (namespace: string | null, resource: string | null = null) => own.of(namespace, resource)?.owner ?? null
}

test('the last rule that matches says who owns a workload', () => {
  const ownerFor = names([
    { owner: 'platform' },
    { owner: 'payments', namespace: 'pay-*' },
    { owner: 'fraud', namespace: 'pay-*', workload: 'fraud*' },
  ])
  expect(ownerFor('shop', 'deployment/web')).toBe('platform')
  expect(ownerFor('pay-eu', 'deployment/web')).toBe('payments')
  expect(ownerFor('pay-eu', 'deployment/fraud-check')).toBe('fraud')
  expect(ownerFor(null, 'node/a')).toBe('platform')
})

test('nobody owns what no rule matches', () => {
  const ownerFor = names([{ owner: 'payments', namespace: 'pay-*' }])
  expect(ownerFor('shop')).toBeNull()
  expect(ownerFor(null)).toBeNull()
})

test('a pattern of clusters is a name, or a name with its environment', () => {
  const of = (pattern: string) => names([{ owner: 'x', cluster: pattern }])('shop')
  expect(['prod-*', 'prod-eu', '*/prod', 'prod-eu/prod'].map(of)).toEqual(['x', 'x', 'x', 'x'])
  expect(['test-*', '*/test', 'prod-eu/test', 'eu'].map(of)).toEqual([null, null, null, null])
})

test('a workload is known by the names of its pods', () => {
  const ownerFor = names([
    { owner: 'web', workload: 'deployment/web' },
    { owner: 'db', workload: 'db' },
  ])
  expect(ownerFor('shop', 'pod/web-65cc8855c-ghk9m')).toBe('web')
  expect(ownerFor('shop', 'Deployment/web')).toBe('web')
  expect(ownerFor('shop', 'pod/db-0')).toBe('db')
  expect(names([{ owner: 'db', workload: 'statefulset/db' }])('shop', 'pod/db-0')).toBe('db')
  expect(ownerFor('shop', 'service/web')).toBeNull()
})

test('an inventory says whose pod it is', () => {
  const links = [{ namespace: 'shop', resource: 'pod/a-0', owner: 'rollout/a' }]
  const ownerFor = names([{ owner: 'web', workload: 'rollout/a' }], { owners: links })
  expect(ownerFor('shop', 'pod/a-0')).toBe('web')
  expect(ownerFor('other', 'pod/a-0')).toBeNull()
})

test('labels of workloads and namespaces count where no rule matches', () => {
  const ownerLabels = [
    { namespace: 'shop', workload: null, owner: 'shop-team' },
    { namespace: 'shop', workload: 'deployment/pay', owner: 'payments' },
    { namespace: 'pay-eu', workload: null, owner: 'by-label' },
  ]
  const owners = [{ namespace: 'shop', resource: 'pod/odd', owner: 'deployment/pay' }]
  const ownerFor = names([{ owner: 'by-rule', namespace: 'pay-*' }], { ownerLabels, owners })
  expect(ownerFor('shop', 'deployment/web')).toBe('shop-team')
  expect(ownerFor('shop', 'Deployment/pay')).toBe('payments')
  expect(ownerFor('shop', 'pod/pay-65cc8855c-ghk9m')).toBe('payments')
  expect(ownerFor('shop', 'pod/odd')).toBe('payments')
  expect(ownerFor('pay-eu', 'deployment/web')).toBe('by-rule')
  expect(ownerFor('other', 'deployment/pay')).toBeNull()
  expect(ownerFor(null, 'node/a')).toBeNull()
  const byLabel = new Ownership([]).in(cluster, { ownerLabels })
  expect(byLabel.of('shop', 'deployment/pay')).toEqual({
    owner: 'payments',
    namespace: 'shop',
    workload: 'deployment/pay',
  })
})
