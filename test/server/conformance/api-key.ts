import type { Table } from './table.ts'
import { required, words } from './values.ts'

const key = { uuid: /^[0-9a-f-]+$/, name: 'string', created: 'timestamp' }

export const apiKeyTable: Table<'listKeys' | 'createKey' | 'revokeKey'> = {
  listKeys: {
    good: () => ({}),
    answer: { keys: [key], limit: 'integer', count: 'integer', remaining: 'integer' },
  },
  createKey: {
    good: () => ({ body: { name: 'laptop' } }),
    body: { name: required(words(100)) },
    answer: { success: 'true', password: /^[A-Za-z0-9]{4}( [A-Za-z0-9]{4}){5}$/, item: key },
  },
  revokeKey: {
    good: async ({ makeKey }) => ({ params: { uuid: await makeKey() } }),
    answer: { success: 'true' },
  },
}
