import type { Example } from '../../route.ts'
import type { ownersRoutes } from '../../routes/owners.ts'
import { at } from './shared.ts'

const owners = {
  owners: [{ owner: 'payments', contact: '#payments', namespace: 'pay-*' }],
  changed_at: at,
  changed_by: 'ada',
}

export const ownersExamples: Record<keyof typeof ownersRoutes, Example> = {
  getOwners: { answer: owners },
  setOwners: { body: { owners: owners.owners }, answer: { success: true, ...owners } },
}
