import type { Table } from './table.ts'
import { list, object, required, words } from './values.ts'

const owners = {
  owners: [
    { owner: 'string', 'contact?': 'string', 'cluster?': 'string', 'namespace?': 'string', 'workload?': 'string' },
  ],
  changed_at: 'timestamp?',
  changed_by: 'string?',
}

export const ownersTable: Table<'getOwners' | 'setOwners'> = {
  getOwners: { good: () => ({}), answer: { ...owners, owners: 'anything' } },
  setOwners: {
    good: () => ({ body: { owners: [{ owner: 'payments', namespace: 'pay-*' }] } }),
    body: {
      owners: required(list(1000, {})),
      'owners.0': object,
      'owners.0.owner': required(words(100)),
      'owners.0.contact': words(200),
      'owners.0.cluster': words(253),
      'owners.0.namespace': words(253),
      'owners.0.workload': words(300),
    },
    answer: { success: 'true', ...owners },
  },
}
