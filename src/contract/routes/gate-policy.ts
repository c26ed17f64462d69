import * as z from 'zod/mini'
import { PolicyInput, StoredPolicy } from '../gate-policy.ts'
import { none, type Route } from '../route.ts'

export const gatePolicyRoutes = {
  getGatePolicy: {
    method: 'GET',
    path: '/gate-policy',
    summary: 'Get the policy of gates without rules of their own',
    access: 'pro',
    role: 'viewer',
    params: none,
    query: none,
    answer: StoredPolicy,
    extension: true,
  },
  setGatePolicy: {
    method: 'PUT',
    path: '/gate-policy',
    summary: 'Set or remove the policy of gates',
    components: { answer: 'GatePolicySaved' },
    access: 'pro',
    role: 'member',
    params: none,
    query: none,
    body: PolicyInput,
    answer: z.extend(StoredPolicy, { success: z.literal(true) }),
    audit: 'gate.set-policy',
    extension: true,
  },
} as const satisfies Record<string, Route>
