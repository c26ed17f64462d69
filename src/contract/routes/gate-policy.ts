import * as z from 'zod/mini'
import { PolicyInput, StoredPolicy } from '../gate-policy.ts'
import { toRoutes } from '../route.ts'
import { success } from '../shape.ts'

export const gatePolicyRoutes = toRoutes({
  getGatePolicy: {
    method: 'GET',
    path: '/gate-policy',
    summary: 'Get the policy of gates without rules of their own',
    role: 'viewer',
    answer: StoredPolicy,
    extension: true,
  },
  setGatePolicy: {
    method: 'PUT',
    path: '/gate-policy',
    summary: 'Set or remove the policy of gates',
    components: { answer: 'GatePolicySaved' },
    role: 'member',
    body: PolicyInput,
    answer: z.extend(StoredPolicy, success),
    audit: 'gate.set-policy',
    extension: true,
  },
})
