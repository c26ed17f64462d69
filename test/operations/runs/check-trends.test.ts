import { expect, test } from 'vitest'
import { formatTimestamp } from '../../../src/util/time.ts'
import { type Row, scan } from '../../reports/scan.ts'
import { day, now, openService } from '../service.ts'

const rows = (check: string, many: number): Row[] =>
  Array.from({ length: many }, (_, i) => ({ check, resource: `pod/p${i}` }))

async function trendsFor(scans: ReturnType<typeof scan>[], query = {}) {
  const { call, upload } = await openService()
  for (const report of scans) await upload([], { report })
  return call('reportTrends', { query: { checks: true, window_days: 365, ...query } })
}

const daysAgo = (days: number) => ({ generatedAt: formatTimestamp(now - days * day) })

test('counts the findings of checks that changed, the largest change first', async () => {
  const trends = await trendsFor([
    scan([...rows('A', 1), ...rows('B', 2), ...rows('C', 3)], daysAgo(3)),
    scan([...rows('A', 1), ...rows('B', 3), ...rows('C', 9)], daysAgo(2)),
    scan([...rows('A', 1), ...rows('C', 1)], { ...daysAgo(1), passed: ['B'] }),
  ])
  expect('checks' in trends && trends.checks).toEqual([
    { check_id: 'C', check_name: 'Name of C', findings: [3, 9, 1] },
    { check_id: 'B', check_name: 'Name of B', findings: [2, 3, 0] },
  ])
})

test('a check that did not run has no number', async () => {
  const failed = scan(rows('A', 2), daysAgo(1))
  Object.assign(failed.checks.A!, { Total: 0, Items: [], Error: 'kubectl timed out' })
  const without = scan(rows('B', 1), daysAgo(2))
  const trends = await trendsFor([
    scan([...rows('A', 1), ...rows('B', 1)], daysAgo(4)),
    scan([...rows('A', 5), ...rows('B', 1)], daysAgo(3)),
    without,
    failed,
  ])
  expect('checks' in trends && trends.checks).toEqual([
    { check_id: 'A', check_name: 'Name of A', findings: [1, 5, null, null] },
  ])
})

test('of many runs, some are opened, and the others have no number', async () => {
  const trends = await trendsFor(Array.from({ length: 70 }, (_, i) => scan(rows('A', 1 + i), daysAgo(70 - i))))
  const [check] = ('checks' in trends && trends.checks) || []
  expect(check?.findings).toHaveLength(70)
  expect(check?.findings.filter((many) => many !== null)).toHaveLength(60)
  expect(check?.findings.at(-1)).toBe(70)
})

test('lists them by cluster as well, and only when asked for', async () => {
  const scans = [2, 1].flatMap((days) =>
    ['one', 'two'].map((cluster) => scan(rows(`A-${cluster}`, days), { ...daysAgo(days), cluster })),
  )
  const grouped = await trendsFor(scans, { group_by_cluster: true })
  expect(
    'clusters' in grouped && grouped.clusters.map(({ checks }) => checks?.map(({ check_id }) => check_id)),
  ).toEqual([['A-one'], ['A-two']])
  expect(await trendsFor(scans, { checks: false })).not.toHaveProperty('checks')
})

test('a cluster without runs has no checks', async () => {
  expect(await trendsFor([])).toMatchObject({ points: [], checks: [] })
})
