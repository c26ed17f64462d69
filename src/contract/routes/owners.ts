import * as z from 'zod/mini'
import { OwnerRules, OwnerRulesInput } from '../ownership.ts'
import { none, type Route } from '../route.ts'

export const ownersRoutes = {
  getOwners: {
    method: 'GET',
    path: '/owners',
    summary: 'Get who owns which workloads',
    access: 'pro',
    role: 'viewer',
    params: none,
    query: none,
    answer: OwnerRules,
    extension: true,
  },
  /** Replaces all rules. */
  setOwners: {
    method: 'PUT',
    path: '/owners',
    summary: 'Set who owns which workloads',
    components: { answer: 'OwnersSaved' },
    access: 'pro',
    role: 'member',
    params: none,
    query: none,
    body: OwnerRulesInput,
    answer: z.extend(OwnerRules, { success: z.literal(true) }),
    audit: 'owners.set',
    extension: true,
  },
} as const satisfies Record<string, Route>
