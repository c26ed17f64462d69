import { expect, test } from 'vitest'
import { severityOfPath } from '../../src/reports/path-severity.ts'
import { openService } from '../operations/service.ts'
import { scan } from './scan.ts'

/** Words of a report that a plain object, taken for a table, has an answer for. */
const members = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__')

test('rows about kinds, names and namespaces that are named like members of objects are read, listed and shown', async () => {
  const { upload, call } = await openService()
  const rows = members.map((name) => ({ resource: `${name}/${name}-0`, namespace: name, message: name, value: name }))
  await upload([], { report: scan(rows) })
  await upload([], { report: scan(rows.toReversed()) })
  const { items, total } = await call('listFindings', { query: { per_page: 50 } })
  expect(total).toBe(members.length)
  for (const { fingerprint } of items) {
    const found = await call('getFinding', { params: { fingerprint: fingerprint! } })
    expect(found).toMatchObject({ success: true })
  }
})

test.each(members)('a risk path of the priority %s has no severity', (fix_priority) => {
  expect(severityOfPath({ fix_priority })).toBeNull()
})
