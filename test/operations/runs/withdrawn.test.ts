import { expect, test } from 'vitest'
import { day, openCatalogService } from '../service.ts'

const rows = [
  { check: 'SEC001', resource: 'deployment/a' },
  { check: 'SEC002', resource: 'deployment/b' },
]

test.each([
  ['a newer version', 'v2.1.0', { reason: 'check_withdrawn', open: 1, gaps: [], hidden: 0 }],
  ['the same version', 'v2.0.0', { reason: 'check_not_in_scope', open: 2, gaps: ['SEC002'], hidden: 1 }],
  ['an older version', 'v1.9.0', { reason: 'check_not_in_scope', open: 2, gaps: ['SEC002'], hidden: 1 }],
])('%s of the scanner without a check', async (_, version, { reason, open, gaps, hidden }) => {
  const { call, upload, clock } = await openCatalogService()
  const send = (own: typeof rows, source_version: string) => {
    clock.now += day
    return upload(own, { body: { cluster: { name: 'c' }, source: 'kubebuddy', source_version } })
  }
  await send(rows, 'v2.0.0')
  const { run_id } = await send(rows.slice(0, 1), version)
  const query = { cluster_name: 'c' }
  expect(await call('compareReports', { query })).toMatchObject({
    resolved_findings_count: 0,
    incomparable_findings: [{ reason, check_id: 'SEC002', count: 1 }],
    incomparable_findings_count: hidden,
  })
  expect((await call('listFindings', { query })).items).toHaveLength(open)
  const { subjects } = await call('getReport', { params: { run_id } })
  expect(subjects![0]!.parts.flatMap(({ name, was_read }) => (was_read ? name : []))).toEqual(gaps)
  // It is told once.
  await send(rows.slice(0, 1), version)
  expect(await call('compareReports', { query })).toMatchObject({ incomparable_findings: hidden ? [{ reason }] : [] })
})
