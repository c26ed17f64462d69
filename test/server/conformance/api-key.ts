import type { Table } from './table.ts'
import { choice, otherThan, required, type Values, words } from './values.ts'

const key = {
  uuid: /^[0-9a-f-]+$/,
  name: 'string',
  created: 'timestamp',
  // Beyond the contract.
  expires_at: 'timestamp?',
  scope: 'all|read|upload',
  last_used: 'timestamp?',
  made_by: 'string?',
  replaces: 'string?',
}

const timeToCome: Values = {
  ok: ['2099-08-30 00:00:00', '2099-08-30T02:00:00+02:00', '2099-08-30', ''],
  bad: [' ', '2026-08-30', '2026-08-30 00:00:00', '2026-09-01 12:00:00', 'tomorrow', '90d', ...otherThan('text')],
}

const anotherKey: Values = { ok: [], bad: ['x', ...otherThan('text')] }

export const apiKeyTable: Table<'listKeys' | 'getCurrentKey' | 'createKey' | 'listMade' | 'revokeKey'> = {
  listKeys: {
    good: () => ({}),
    answer: { keys: [key], limit: 'integer', count: 'integer', remaining: 'integer' },
  },
  getCurrentKey: {
    good: () => ({}),
    answer: { success: 'true', user_login: 'string', plan: 'string', 'key?': key, team: 'anything', teams: 'anything' },
  },
  createKey: {
    good: () => ({ body: { name: 'laptop' } }),
    body: {
      name: required(words(100)),
      expires_at: timeToCome,
      scope: choice('all', 'read', 'upload'),
      replaces: anotherKey,
    },
    answer: { success: 'true', password: /^[A-Za-z0-9]{4}( [A-Za-z0-9]{4}){5}$/, item: key },
  },
  listMade: {
    good: async ({ makeKey }) => ({ params: { uuid: await makeKey() } }),
    answer: {
      ...{ success: 'true', keys: 'anything', feeds: 'anything', webhooks: 'anything', members: 'anything' },
      exceptions: 'anything',
      subjects: 'anything',
      baselines: 'anything',
      splits: 'anything',
      sessions: 'integer',
    },
  },
  revokeKey: {
    good: async ({ makeKey }) => ({ params: { uuid: await makeKey() } }),
    query: { made: choice('end') },
    answer: { success: 'true' },
  },
}
