import { expect, test } from 'vitest'
import { openService } from '../operations/service.ts'

const report = (Items: object[], generatedAt: string, check = 'SEC007') => ({
  metadata: { clusterName: 'blue', generatedAt },
  checks: { [check]: { ID: check, Severity: 'info', Total: 1, Items } },
})
const rows = [{ Namespace: 'shop', Message: 'No labels' }]

test.each([
  ['loses its rows', rows, []],
  ['gets rows', [], rows],
])('a check that fails as before but %s is not new itself', async (_, first, second) => {
  const { call, upload } = await openService()
  await upload([], { report: report(first, '2026-08-01T00:00:00Z') })
  await upload([], { report: report(second, '2026-08-02T00:00:00Z') })
  const { new_findings_count, regressed_findings_count } = await call('compareReports')
  expect({ new_findings_count, regressed_findings_count }).toEqual({
    new_findings_count: second.length,
    regressed_findings_count: 0,
  })
})

test('a check that fails without rows for the first time is new', async () => {
  const { call, upload } = await openService()
  await upload([], {
    report: { ...report([], '2026-08-01T00:00:00Z'), checks: { SEC007: { ID: 'SEC007', Total: 0, Items: [] } } },
  })
  await upload([], { report: report([], '2026-08-02T00:00:00Z') })
  expect((await call('compareReports')).new_findings_count).toBe(1)
})
