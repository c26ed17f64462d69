import { expect, test } from 'vitest'
import { dump, openService } from '../../../operations/service.ts'

test('reports count toward the limit of the plan, and a duplicate does not', async () => {
  const { call, upload, db, plans, addUser } = await openService()
  const large = (name: string) => ({
    report: { metadata: { clusterName: name, filling: 'x'.repeat(600_000) }, checks: {} },
  })
  plans.pro_plus.reportsMb = 1
  await upload([], large('one'))
  const before = await dump(db)
  await expect(upload([], large('two'))).rejects.toMatchObject({
    code: 'forbidden',
    message: 'The limit of the plan Pro Plus is 1 MB of reports.',
  })
  expect(await dump(db)).toEqual(before)
  expect(await upload([], large('one'))).toMatchObject({ duplicate: true })
  await db.updateTable('user').set({ plan: 'pro_plus' }).execute()
  await upload([], { ...large('two'), user: { ...(await addUser('ada')), plan: 'pro_plus' } })
  const { items } = await call('listReports', { query: { cluster_name: 'one' } })
  await call('deleteReport', { params: { run_id: items[0]!.run_id } })
  await upload([], large('two'))
})
