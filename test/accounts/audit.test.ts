import { describe, expect, test } from 'vitest'
import { routes } from '../../src/contract/routes.ts'
import { listAudit, recordAudit } from '../../src/store/accounts/audit.ts'
import { removeUser } from '../../src/store/accounts/user.ts'
import { refusalFor } from '../operations/service.ts'
import { scan, toBytes } from '../reports/scan.ts'
import { type Accounts, now, openAccounts } from './accounts.ts'

const firstPage = { page: 1, perPage: 100 }
const actionsFor = async ({ db }: Accounts) =>
  (await listAudit(db, {}, firstPage)).items.map(({ login, action, subject }) => [login, action, subject])

test('a call is kept with its user, time, request and subject', async () => {
  const accounts = await openAccounts()
  const ada = await accounts.add('ada')
  const { item } = await accounts.callAs('ada', 'createKey', { body: { name: 'x' }, requestId: 'req-1' })
  accounts.clock.now += 60
  await accounts.callAs('ada', 'revokeKey', { params: { uuid: item.uuid }, requestId: 'req-2' })
  const entry = { user_id: ada.id, login: 'ada', subject: item.uuid }
  expect((await listAudit(accounts.db, {}, firstPage)).items).toEqual([
    { id: 2, at: '2026-09-01 12:01:00', action: 'key.revoke', request_id: 'req-2', ...entry },
    { id: 1, at: '2026-09-01 12:00:00', action: 'key.create', request_id: 'req-1', ...entry },
  ])
})

test('reports are kept by their run, also when they are only read', async () => {
  const accounts = await openAccounts()
  await accounts.add('ada')
  const upload = async (message: string) => {
    const report = toBytes(scan([{ resource: `x/${message}` }]))
    const { run_id } = await accounts.callAs('ada', 'uploadReport', { report })
    accounts.clock.now += 60
    return run_id
  }
  const [one, two] = [await upload('one'), await upload('two')]
  await accounts.callAs('ada', 'compareReports')
  await accounts.callAs('ada', 'getReport', { params: { run_id: one } })
  await accounts.callAs('ada', 'reportFreshness', { params: { run_id: one } })
  await accounts.callAs('ada', 'deleteReport', { params: { run_id: one } })
  expect(await actionsFor(accounts)).toEqual([
    ['ada', 'report.delete', one],
    ['ada', 'report.freshness', one],
    ['ada', 'report.read', one],
    ['ada', 'report.compare', two],
    ['ada', 'report.upload', two],
    ['ada', 'report.upload', one],
  ])
})

test('a repeated upload has the entry of the first', async () => {
  const accounts = await openAccounts()
  await accounts.add('ada')
  const report = toBytes(scan([{ resource: 'x/one' }]))
  const send = () => accounts.callAs('ada', 'uploadReport', { report, idempotencyKey: 'once' })
  const [first, second, ...more] = [await send(), await send(), ...(await Promise.all([send(), send()]))]
  for (const repeated of [second, ...more]) expect(repeated).toMatchObject({ run_id: first.run_id, duplicate: true })
  expect(await actionsFor(accounts)).toEqual([['ada', 'report.upload', first.run_id]])
})

test('neither a refused call nor one without a name in the audit is kept', async () => {
  const accounts = await openAccounts()
  await accounts.add('ada')
  await accounts.add('grace', { plan: 'free' })
  expect(routes.listKeys).not.toHaveProperty('audit')
  await accounts.callAs('ada', 'listKeys')
  for (const refused of [
    accounts.callAs('grace', 'createKey', { body: { name: 'x' } }),
    accounts.callAs(undefined, 'createKey', { body: { name: 'x' } }),
    accounts.callAs('ada', 'createKey', { body: {} }),
    accounts.callAs('ada', 'revokeKey', { params: { uuid: 'a' } }),
  ]) {
    expect(await refusalFor(refused)).not.toBe('none')
  }
  expect(await actionsFor(accounts)).toEqual([])
})

describe('the audit', () => {
  test('keeps what a removed user did', async () => {
    const accounts = await openAccounts()
    await accounts.add('ada')
    await accounts.callAs('ada', 'createKey', { body: { name: 'x' } })
    await removeUser(accounts.db, 'ada')
    expect((await listAudit(accounts.db, { login: 'ada' }, firstPage)).total).toBe(1)
  })

  test('is read by page and by user, newest first', async () => {
    const { db } = await openAccounts()
    for (let i = 1; i <= 5; i++) {
      const user = { id: i % 2, login: i % 2 ? 'odd' : 'even' }
      await recordAudit(db, { at: now + i, user, action: 'a.b', subject: `${i}`, requestId: undefined })
    }
    await recordAudit(db, { at: now, user: undefined, action: 'a.b', subject: undefined, requestId: undefined })
    const subjects = async (login: string | undefined, page: number, perPage: number) =>
      (await listAudit(db, { login }, { page, perPage })).items.map((entry) => entry.subject)
    expect(await subjects(undefined, 1, 4)).toEqual([null, '5', '4', '3'])
    expect(await subjects(undefined, 2, 4)).toEqual(['2', '1'])
    expect(await subjects('odd', 1, 4)).toEqual(['5', '3', '1'])
    expect(await subjects('nobody', 1, 4)).toEqual([])
    expect(await listAudit(db, { login: 'even' }, { page: 1, perPage: 1 })).toMatchObject({ total: 2, total_pages: 2 })
  })
})
