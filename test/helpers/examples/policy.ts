import type { RoutesOf } from '../../../src/contract/nouns.ts'
import { at, runId } from './shared.ts'

const exceptionInput = {
  check: 'SEC014',
  namespace: 'shop',
  cluster_name: 'shop-prod',
  reason: 'The registry moves in October',
  expires_on: '2030-10-31',
}
const exception = {
  exception_id: 'exc_2b7f0c9d4e1a6583',
  ...{ fingerprint: null, ...exceptionInput, resource: null, artifact: null, advisory: null, justification: null },
  ...{ environment: null, state: 'active' },
  ...{ created_at: at, created_by: 'ada', ended_at: null, ended_by: null },
}

const gatePolicy = { policy: "gate:\n  fail_on: ['new>=high']\n", changed_at: at, changed_by: 'ada' }

const owners = {
  owners: [{ owner: 'payments', contact: '#payments', namespace: 'pay-*' }],
  changed_at: at,
  changed_by: 'ada',
}

export const policyExamples: Record<
  RoutesOf<'exception' | 'gate-baseline' | 'gate-policy' | 'owners'>,
  { answer: object }
> = {
  listExceptions: { answer: { page: 1, per_page: 20, total: 1, total_pages: 1, items: [exception] } },
  createException: { answer: { success: true, ...exception } },
  getException: { answer: exception },
  expireException: {
    answer: { success: true, ...exception, state: 'expired', ended_at: at, ended_by: 'ada' },
  },
  listGateBaselines: {
    answer: {
      success: true,
      items: [{ rule: 'new>=high', run_id: runId, at, why: 'passed', held: [], taken_in: null }],
    },
  },
  takeInRun: {
    answer: {
      ...{ success: true, run_id: runId, cluster_name: 'shop-prod', environment: 'prod', format: 'kubebuddy' },
      ...{ subject: null, drops: [], until: null, reason: 'Accepted', made_at: at, made_by: 'ada' },
      takes_in: { total: 3, critical: 3, high: 0, medium: 0, low: 0, info: 0, unknown: 0 },
    },
  },
  getGatePolicy: { answer: gatePolicy },
  setGatePolicy: { answer: { success: true, ...gatePolicy } },
  getOwners: { answer: owners },
  setOwners: { answer: { success: true, ...owners } },
}
