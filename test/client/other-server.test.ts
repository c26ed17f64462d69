import { describe, expect, test } from 'vitest'
import { interfaceFields } from './interface-fields.ts'
import { openClient, openLocal } from './open.ts'
import { openOtherServer } from './other-server.ts'
import { callEverything } from './suite.ts'

/** Routes that only our service has. */
const absent = ['updateAccountSettings', 'deleteReport']

/** Differs on purpose: the interface shows no type, or no field at all. */
const free = ['compareReports', 'reportTrends', 'testNotification', 'getReport', 'createConfig', 'updateConfig']

describe.each(['full', 'reduced'] as const)('a server with nothing but the %s forms of the interface', (form) => {
  test('answers each call, and what it leaves out is null', async () => {
    // The last call asks for a run that only our service can have deleted.
    const local = (await callEverything(await openLocal())).slice(0, -1)
    const { server, asked } = await openOtherServer(form)
    const other = (await callEverything(openClient(server))).slice(0, -1)
    expect(other.map(({ name, error }) => [name, error?.code])).toEqual(
      local.map(({ name, error }) => [name, absent.includes(name) ? 'not_found' : error?.code]),
    )
    for (const [index, { name, answer }] of other.entries()) {
      if (answer === undefined || free.includes(name)) continue
      expect({ name, differences: differences(answer, local[index]!.answer) }).toEqual({ name, differences: [] })
    }
    // The suite does not make these calls; commands do.
    const unused = [
      'GET /api-keys',
      'POST /test-notification',
      'POST /send-test-notification',
      'POST /trigger-digest-email',
    ]
    expect([...asked, ...unused].sort()).toEqual(Object.keys(interfaceFields).sort())
  })
})

/** Paths at which something else than null stands in place of what our service says. */
function differences(other: unknown, ours: unknown, path = ''): string[] {
  if (other === null || Object.is(other, ours)) return []
  if (typeof other !== 'object' || typeof ours !== 'object' || ours === null) return [`${path}: ${other} for ${ours}`]
  return (
    Object.entries(other)
      // The one field whose type the interface does not show.
      .filter(([key]) => key !== 'confidence')
      .flatMap(([key, value]) => differences(value, (ours as Record<string, unknown>)[key], `${path}.${key}`))
  )
}
