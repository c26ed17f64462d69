import type { Example } from '../../route.ts'
import type { gatePolicyRoutes } from '../../routes/gate-policy.ts'
import { at } from './shared.ts'

const gatePolicy = { policy: "gate:\n  fail_on: ['new>=high']\n", changed_at: at, changed_by: 'ada' }

export const gatePolicyExamples: Record<keyof typeof gatePolicyRoutes, Example> = {
  getGatePolicy: { answer: gatePolicy },
  setGatePolicy: { body: { policy: gatePolicy.policy }, answer: { success: true, ...gatePolicy } },
}
