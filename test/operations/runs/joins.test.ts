import { expect, test } from 'vitest'
import { applyRetention } from '../../../src/operations/store-care/retention.ts'
import { job } from '../../reports/renamed-job.ts'
import type { Row } from '../../reports/scan.ts'
import { day, openCatalogService } from '../service.ts'

const passed = ['POD010', 'SEC004']

async function uploadDays(...days: Row[][]) {
  const service = await openCatalogService()
  const { upload, clock } = service
  const runs: string[] = []
  for (const rows of days) {
    clock.now += day
    const generatedAt = new Date(clock.now * 1000).toISOString()
    runs.push((await upload(rows, { passed, generatedAt })).run_id)
  }
  const compare = (query: object) => service.call('compareReports', { query })
  return { ...service, runs, compare }
}

test('a workload with a new name keeps its findings, and what differs is told', async () => {
  const privileged = { check: 'SEC004', resource: 'pod/app-migrate-42-x7k2p', message: 'is privileged' }
  const { compare, runs } = await uploadDays(job('app-migrate-41'), [...job('app-migrate-42'), privileged])
  expect(await compare({ to_run_id: runs[1] })).toMatchObject({
    new_findings: [{ check_id: 'SEC004' }],
    resolved_findings: [],
    renamed_workloads: [{ from: 'app-migrate-41', to: 'app-migrate-42', findings: 5, is_probable: true }],
    renamed_findings_count: 5,
  })
})

test('a finding of a renamed workload that got worse is told', async () => {
  const crash = (name: string, ...pods: string[]) =>
    pods.map((pod) => ({ check: 'POD005', resource: `pod/${name}-${pod}`, message: 'crashes' }))
  const { compare, runs } = await uploadDays(
    [...job('app-41'), ...crash('app-41', 'x7k2p')],
    [
      ...job('app-42').map((row) => ({ ...row, ...(row.check === 'WRK005' && { severity: 'critical' }) })),
      ...crash('app-42', 'x7k2p', 'b4z9q'),
    ],
  )
  const { new_findings } = await compare({ to_run_id: runs[1] })
  expect(new_findings.map(({ check_id }) => check_id).sort()).toEqual(['POD005', 'WRK005'])
})

test.each([
  ['no longer', ['POD010'], []],
  ['only now', [], ['POD010']],
])('a pod stays the same where a run %s shows that something owns it', async (_, first, then) => {
  const { upload, clock, call } = await openCatalogService()
  const rows = [{ check: 'SEC003', resource: 'pod/db-0', message: 'Container app runs as root' }]
  await upload(rows, { passed: [...first, 'SEC004'] })
  clock.now += day
  await upload([...rows, { ...rows[0]!, check: 'SEC004' }], { passed: then })
  expect(await call('compareReports', { query: {} })).toMatchObject({
    new_findings: [{ check_id: 'SEC004' }],
    resolved_findings: [],
    renamed_findings_count: 1,
  })
})

test('names are joined over several runs, also when one between is deleted', async () => {
  const { call, compare, runs } = await uploadDays(...[41, 42, 43, 44].map((each) => job(`app-migrate-${each}`)))
  const query = { from_run_id: runs[0], to_run_id: runs[3] }
  expect(await compare(query)).toMatchObject({ new_findings: [], renamed_findings_count: 5 })
  await call('deleteReport', { params: { run_id: runs[1]! } })
  expect(await compare(query)).toMatchObject({ new_findings: [], renamed_findings_count: 5 })
})

test('a workload that was joined with a former one can be split from it, for all later runs', async () => {
  const { call, compare, runs } = await uploadDays(...[41, 42, 42].map((each) => job(`app-migrate-${each}`)))
  const query = { from_run_id: runs[0], to_run_id: runs[2] }
  expect(await compare(query)).toMatchObject({ new_findings: [], renamed_findings_count: 5 })
  const split = { run_id: runs[2]!, namespace: 'default', workload: 'app-migrate-42' }
  expect(await call('splitWorkload', { body: split })).toMatchObject({
    run_id: runs[1],
    from: 'app-migrate-41',
    to: 'app-migrate-42',
    findings: 5,
  })
  expect((await compare({ from_run_id: runs[0], to_run_id: runs[1] })).new_findings).toHaveLength(5)
  expect((await compare(query)).renamed_findings_count).toBe(0)
  await expect(call('splitWorkload', { body: split })).rejects.toMatchObject({ code: 'not_found' })
  await expect(call('splitWorkload', { body: { ...split, workload: 'app-migrate-41' } })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('what was split stays split when its run is deleted', async () => {
  const { call, compare, runs } = await uploadDays(...[41, 42, 42].map((each) => job(`app-migrate-${each}`)))
  await call('splitWorkload', { body: { run_id: runs[2]!, namespace: 'default', workload: 'app-migrate-42' } })
  await call('deleteReport', { params: { run_id: runs[1]! } })
  const { renamed_findings_count, resolved_findings } = await compare({ from_run_id: runs[0], to_run_id: runs[2] })
  expect([renamed_findings_count, resolved_findings.length]).toEqual([0, 5])
})

test('names are joined with those of a baseline that outlives the runs between', async () => {
  const service = await uploadDays(...[41, 42, 43, 44].map((each) => job(`app-migrate-${each}`)))
  const { call, compare, runs, db, vault, clock } = service
  await call('takeInRun', { body: { run_id: runs[0], reason: 'known' } })
  const kept = { runs: 1, deliveries: 0, audit: 0 }
  const removed = await applyRetention({ db, vault: async () => vault }, kept, clock.now + 1)
  expect(removed.runs).toBe(2)
  expect(await compare({ from_run_id: runs[0], to_run_id: runs[3] })).toMatchObject({
    new_findings: [],
    renamed_findings_count: 5,
  })
})

test.each<[string, Row[], Row[]]>([
  ['in another namespace', job('app-41'), job('app-42', { namespace: 'other' })],
  ['with few findings in common', job('app-41').slice(0, 3), job('app-42').slice(0, 3)],
  ['with other findings', job('app-41'), job('app-42', { message: 'is worse' })],
  ['beside the former one', job('app-41'), [...job('app-41').slice(1), ...job('app-42')]],
])('a stranger is new: %s', async (_, from, to) => {
  const { compare, runs } = await uploadDays(from, to)
  const { new_findings, renamed_findings_count } = await compare({ to_run_id: runs[1] })
  expect(renamed_findings_count).toBe(0)
  expect(new_findings.length).toBeGreaterThanOrEqual(3)
})

test('a CronJob and a Deployment of one name are two', async () => {
  const of = (pod: string) => [{ check: 'SEC003', resource: `pod/${pod}`, message: 'Container app runs as root' }]
  const web = of('web-65cc8855c-ghk9m')
  const { compare, runs } = await uploadDays(web, [...web, ...of('web-29300000-x7k2p')])
  expect((await compare({ to_run_id: runs[1] })).new_findings).toMatchObject([{ resource: 'pod/web-29300000-x7k2p' }])
})
