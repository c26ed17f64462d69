import type { Example } from '../../route.ts'
import type { apiKeyRoutes } from '../../routes/api-key.ts'
import { at, success } from './shared.ts'

const uuid = '6f1f5a2b-1c3d-4d0a-9a55-0f9d7c528f6e'
const apiKey = {
  ...{ uuid, name: 'laptop', created: at, expires_at: null, scope: 'all', last_used: null },
  ...{ made_by: null, replaces: null },
}
const madeKey = { ...apiKey, uuid: '3d1b6f0e-2c4d-4f5a-8b7c-1a2b3c4d5e6f', name: 'ci', made_by: uuid }

export const apiKeyExamples: Record<keyof typeof apiKeyRoutes, Example> = {
  listKeys: { answer: { keys: [apiKey], limit: 3, count: 1, remaining: 2 } },
  getCurrentKey: { answer: { success: true, user_login: 'ada', plan: 'Pro', key: apiKey } },
  createKey: {
    body: { name: 'laptop', scope: 'upload', expires_at: '2099-12-31 00:00:00' },
    answer: {
      success: true,
      password: 'abcd EFGH 1234 ijkl MNOP 5678',
      item: { ...apiKey, scope: 'upload' },
    },
  },
  listMade: {
    params: { uuid },
    answer: { success: true, keys: [madeKey], feeds: [], webhooks: [], members: [], sessions: 0 },
  },
  revokeKey: { params: { uuid }, answer: success },
}
