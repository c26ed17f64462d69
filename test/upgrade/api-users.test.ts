import { expect, test } from 'vitest'
import type { ApiRemoval } from '../../src/contract/upgrade-facts.ts'
import type { UsedApi } from '../../src/reports/artifact.ts'
import { usersIn } from '../../src/upgrade/api-users.ts'

const api = { group: 'batch', version: 'v1beta1', kind: 'CronJob' } as ApiRemoval
const use = (more: Partial<UsedApi>): UsedApi => ({
  ...{ group: 'batch', version: 'v1beta1', kind: 'CronJob', by: 'managedFields', users: ['shop/a (helm)'], count: 1 },
  ...more,
})

test('users of an API version are named; where none is known, nobody looked', () => {
  expect(usersIn([use({ count: 3 })])(api)).toEqual(['CronJob shop/a (helm)', 'and 2 more'])
  expect(usersIn([use({ by: 'metrics', kind: 'cronjobs', users: [] })])(api)).toHaveLength(1)
  expect(usersIn([use({ by: 'storedVersions', users: ['cronjobs.x'] })])(api)).toEqual([
    'the stored objects of cronjobs.x',
  ])
  for (const other of [use({ version: 'v1' }), use({ kind: 'Job' }), use({ group: '' })]) {
    expect(usersIn([other])(api)).toBeUndefined()
  }
  expect(usersIn()(api)).toBeUndefined()
})
