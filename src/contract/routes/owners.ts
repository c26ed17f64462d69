import * as z from 'zod/mini'
import { OwnerRules, OwnerRulesInput } from '../ownership.ts'
import { toRoutes } from '../route.ts'
import { success } from '../shape.ts'

export const ownersRoutes = toRoutes({
  getOwners: {
    method: 'GET',
    path: '/owners',
    summary: 'Get who owns which workloads',
    role: 'viewer',
    answer: OwnerRules,
    extension: true,
  },
  /** Replaces all rules. */
  setOwners: {
    method: 'PUT',
    path: '/owners',
    summary: 'Set who owns which workloads',
    components: { answer: 'OwnersSaved' },
    role: 'member',
    body: OwnerRulesInput,
    answer: z.extend(OwnerRules, success),
    audit: 'owners.set',
    extension: true,
  },
})
