import { expect, test } from 'vitest'
import type { ApiRemoval } from '../../src/contract/upgrade-facts.ts'
import type { UsedApi } from '../../src/reports/artifact.ts'
import { usersIn } from '../../src/upgrade/api-users.ts'

const api = { group: 'batch', version: 'v1beta1', kind: 'CronJob' } as ApiRemoval
const use = (more: Partial<UsedApi>): UsedApi => ({
  group: 'batch',
  version: 'v1beta1',
  kind: 'CronJob',
  by: 'managedFields',
  users: ['shop/a (helm)'],
  count: 1,
  ...more,
})

test('users of an API version are named; where none is known, nobody looked', () => {
  expect(usersIn([use({ count: 3 })])(api)).toEqual({
    names: ['CronJob shop/a (helm)', 'and 2 more'],
    isCertain: false,
  })
  const metric = use({ by: 'metrics', kind: 'cronjobs', users: [] })
  expect(usersIn([metric])(api)).toEqual({ names: ['a client that asked the API server for it'], isCertain: true })
  expect(usersIn([metric, use({})])(api)).toMatchObject({ isCertain: true })
  const stored = use({ by: 'storedVersions', users: ['cronjobs.x'] })
  expect(usersIn([stored])(api)).toEqual({ names: ['the stored objects of cronjobs.x'], isCertain: true })
  for (const other of [use({ version: 'v1' }), use({ kind: 'Job' }), use({ group: '' })]) {
    expect(usersIn([other])(api)).toBeUndefined()
  }
  expect(usersIn()(api)).toBeUndefined()
})
