import { expect, test } from 'vitest'
import { equalShare } from '../../../src/reports/equal-share.ts'
import { openService, refusalFor } from '../service.ts'

const rows = (check: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    Namespace: 'shop',
    Resource: `deployment/${check}-${'abcdefghij'[i]}`,
    Message: `Fault ${check}`,
  }))

const toCheck = (ID: string, Severity: string, count: number, more = {}) => ({
  ...{ ID, Name: `Check ${ID}`, Category: 'Security', Severity, Weight: 2, Total: count, Items: rows(ID, count) },
  ...more,
})

const report = {
  metadata: {
    clusterName: 'blue',
    generatedAt: '2026-08-20T06:00:00Z',
    score: 40,
    excludeNamespacesEnabled: true,
    excludedNamespaces: ['kube-system'],
  },
  checks: {
    LOW001: toCheck('LOW001', 'low', 9),
    SEC001: toCheck('SEC001', 'critical', 1, { Recommendation: 'Set runAsUser.', URL: 'https://k.example/' }),
    SEC002: toCheck('SEC002', 'critical', 6),
    NET001: toCheck('NET001', 'high', 0),
  },
}

test('lists the checks of a run with their findings, the worst first', async () => {
  const service = await openService()
  const { run_id } = await service.upload([], { report })
  const found = await service.call('listRunFindings', { params: { run_id } })
  expect(found).toMatchObject({
    run_id,
    findings: 16,
    rows: 16,
    basis: 'weights',
    excluded_namespaces: ['kube-system'],
  })
  expect(found.checks.map(({ check_id, findings }) => [check_id, findings])).toEqual([
    ['SEC002', 6],
    ['SEC001', 1],
    ['LOW001', 9],
  ])
  expect(found.checks[1]).toMatchObject({ recommendation: 'Set runAsUser.', url: 'https://k.example/', points: 12.5 })
  expect(found.items.map(({ check_id }) => check_id)).toEqual([
    ...Array(6).fill('SEC002'),
    'SEC001',
    ...Array(9).fill('LOW001'),
  ])
})

test('gives each check a share of the limit, and counts all', async () => {
  const service = await openService()
  const { run_id } = await service.upload([], { report })
  const found = await service.call('listRunFindings', { params: { run_id }, query: { limit: '7' } })
  expect(found.items.map(({ check_id }) => check_id)).toEqual([
    'SEC002',
    'SEC002',
    'SEC002',
    'SEC001',
    'LOW001',
    'LOW001',
    'LOW001',
  ])
  expect(found.findings).toBe(16)
  const one = await service.call('listRunFindings', { params: { run_id }, query: { limit: '1' } })
  expect(one.items).toHaveLength(1)
})

test('shows a run to its owner alone', async () => {
  const service = await openService()
  const { run_id } = await service.upload([], { report })
  const user = await service.addUser('eve')
  expect(await refusalFor(service.call('listRunFindings', { user, params: { run_id } }))).toMatch(/^not_found/)
})

test.each([
  [[3, 3, 3], 9, 3],
  [[1, 100, 100], 21, 10],
  [[1, 2], 100, 2],
  [[5, 5, 5], 2, 1],
  [[], 5, 0],
])('the share of %j in %i is %i', (counts, limit, share) => {
  expect(equalShare(counts, limit)).toBe(share)
})
