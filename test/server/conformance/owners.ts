import type { Table } from './table.ts'
import { line, list, otherThan, required, words } from './values.ts'

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
      owners: required(list(1000, { owner: 'payments' })),
      'owners.0': { ok: [{ owner: 'payments' }], bad: [[], '', ...otherThan('object')] },
      'owners.0.owner': required(words(100)),
      'owners.0.contact': line(200),
      'owners.0.cluster': line(253),
      'owners.0.namespace': line(253),
      'owners.0.workload': line(300),
    },
    answer: { success: 'true', ...owners },
  },
}
