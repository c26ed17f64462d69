import { expect, test } from 'vitest'
import type { GateRecord } from '../../../src/contract/gate-verdict.ts'
import { day, now, openService, refusalFor } from '../service.ts'

const verdict = (name: string, verdict: 'passed' | 'failed' | 'undecided', reason = 'Because'): GateRecord => ({
  policy: { name, digest: 'a3'.repeat(32) },
  rules: [{ rule: 'new>=high', verdict, reason, excepted: 0 }],
})

async function openRun() {
  const service = await openService()
  const { run_id } = await service.upload([{ check: 'SEC003', message: 'root' }], { cluster: 'blue' })
  const params = { run_id }
  const record = (body: GateRecord) => service.call('recordGate', { params, body })
  return { ...service, run_id, params, record }
}

test('a verdict is shown with its run, in lists, and as a reason why the cluster needs attention', async () => {
  const { call, upload, clock, params, record } = await openRun()
  expect((await call('getReport', { params })).gate).toBeNull()
  clock.now += 60
  const body = {
    ...verdict('relt.yaml', 'failed', '2 new findings'),
    exceptions: [{ source: 'relt.yaml:12', reason: 'Known', expires: '2026-12-31', matched: 3 }],
    undecided_lines: [{ source: 'relt.yaml:14', reason: '', expires: '2026-11-30', matched: 1 }],
  }
  const at = '2026-09-01 12:01:00'
  expect(await record(body)).toEqual({ success: true, verdict: 'failed', at })
  const { gate } = await call('getReport', { params })
  const limits = { let_pass: 0, exceptions_end: '2026-11-30' }
  expect(gate).toEqual({ verdict: 'failed', at, limits, policies: [{ ...body, verdict: 'failed', at, by: 'local' }] })
  expect((await call('listReports', {})).items[0]!.gate).toEqual({ verdict: 'failed', at, limits })
  const { items, summary } = await call('listClusters', {})
  expect(items[0]).toMatchObject({
    gate: { verdict: 'failed', at },
    attention: expect.arrayContaining(['gate_failed']),
  })
  expect(summary.attention).toMatchObject({ gate_failed: 1 })

  // The verdict belongs to its run: nobody has judged the next one.
  clock.now += day
  await upload([], { cluster: 'blue', passed: ['SEC003'] })
  expect((await call('listClusters', {})).items[0]).toMatchObject({
    gate: null,
    attention: expect.not.arrayContaining(['gate_failed']),
  })
})

test('the worst verdict of all policies counts, and a policy replaces its own', async () => {
  const { call, params, record } = await openRun()
  const verdicts = async () => (await call('getReport', { params })).gate!.policies!.map((each) => each.verdict)
  expect(await record(verdict('relt.yaml', 'failed'))).toMatchObject({ verdict: 'failed' })
  expect(await record(verdict('score<1', 'passed'))).toMatchObject({ verdict: 'failed' })
  expect(await record(verdict('score<2', 'undecided'))).toMatchObject({ verdict: 'failed' })
  expect(await record(verdict('relt.yaml', 'passed'))).toMatchObject({ verdict: 'undecided' })
  expect(await verdicts()).toEqual(['passed', 'undecided', 'passed'])
  expect(await record(verdict('score<2', 'passed'))).toMatchObject({ verdict: 'passed' })
})

test('a rule that failed decides over those that passed', async () => {
  const { record } = await openRun()
  const rules = (['passed', 'failed', 'undecided'] as const).map((each) => verdict('x', each).rules[0]!)
  expect(await record({ ...verdict('x', 'passed'), rules })).toMatchObject({ verdict: 'failed' })
})

test('verdicts of too many policies are refused, since forgetting one could hide a failure', async () => {
  const { record } = await openRun()
  for (let number = 0; number < 20; number++) await record(verdict(`score<${number}`, 'failed'))
  expect(await refusalFor(record(verdict('score<20', 'passed')))).toBe('conflict: The run has verdicts of 20 policies.')
  expect(await record(verdict('score<19', 'passed'))).toMatchObject({ verdict: 'failed' })
})

test('reasons are sealed, and go with the run', async () => {
  const { db, call, params, record } = await openRun()
  await record(verdict('relt.yaml', 'failed', 'deployment/payroll is new'))
  const [part] = await db.selectFrom('run_part').selectAll().where('kind', '=', 'gate').execute()
  expect(Buffer.from(part!.sealed).includes('payroll')).toBe(false)
  expect((await call('getReport', { params })).gate?.policies?.[0]?.rules[0]?.reason).toBe('deployment/payroll is new')
  await call('deleteReport', { params })
  expect(await db.selectFrom('run_part').select('kind').execute()).toEqual([])
})

test('nobody outside may record, and it is in the audit', async () => {
  const { db, call, addUser, params, record } = await openRun()
  const user = await addUser('eve')
  expect(await refusalFor(call('recordGate', { user, params, body: verdict('x', 'passed') }))).toMatch(/^not_found/)
  await record(verdict('x', 'passed'))
  const entries = await db.selectFrom('audit').select(['action', 'at']).where('action', '=', 'report.gate').execute()
  expect(entries).toEqual([{ action: 'report.gate', at: now }])
})
