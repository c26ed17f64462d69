import type { RoutesOf } from '../../../src/contract/nouns.ts'
import { at, runId, success, toPage } from './shared.ts'

const uuid = '6f1f5a2b-1c3d-4d0a-9a55-0f9d7c528f6e'
const apiKey = {
  ...{ uuid, name: 'laptop', created: at, expires_at: null, scope: 'all', last_used: null },
  ...{ made_by: null, replaces: null },
}
const madeKey = { ...apiKey, uuid: '3d1b6f0e-2c4d-4f5a-8b7c-1a2b3c4d5e6f', name: 'ci', made_by: uuid }

const team = {
  ...{ name: 'platform', created: at, members: 2, clusters: 4, runs: 120, profiles: 3, role: 'owner' },
  items: [
    { login: 'ada', role: 'owner' },
    { login: 'grace', role: 'member' },
  ],
  notifications: {
    email: null,
    channels: [{ channel: 'slack', address: 'https://hooks.slack.com/…' }],
    subscriptions: 12,
    settings: { time_zone: 'Europe/Berlin', digest_hour: 8, digest_weekday: 'monday', quiet_hours: '22:00-07:00' },
    gate_policy_changed_at: null,
  },
}

export const accountExamples: Record<RoutesOf<'api-key' | 'team' | 'audit'>, { answer: object }> = {
  listKeys: { answer: { keys: [apiKey], limit: 3, count: 1, remaining: 2 } },
  getCurrentKey: { answer: { success: true, user_login: 'ada', plan: 'Pro', key: apiKey } },
  createKey: {
    answer: {
      success: true,
      password: 'abcd EFGH 1234 ijkl MNOP 5678',
      item: { ...apiKey, scope: 'upload' },
    },
  },
  listMade: {
    answer: {
      ...{ success: true, keys: [madeKey], feeds: [], webhooks: [], members: [] },
      ...{ exceptions: [], subjects: [], baselines: [], splits: [], sessions: 0 },
    },
  },
  revokeKey: { answer: success },
  listTeamSubscriptions: {
    answer: {
      ...{ page: 1, per_page: 20, total: 1, total_pages: 1 },
      items: [{ product_id: 2, name: 'argo-cd', followers: ['ada', 'grace'] }],
    },
  },
  getTeam: { answer: team },
  addTeamMember: {
    answer: { success: true, ...team },
  },
  setTeamRole: {
    answer: { success: true, ...team },
  },
  removeTeamMember: { answer: { success: true, ...team } },
  listAudit: {
    answer: toPage({
      ...{ id: 12, at, user_id: 1, login: 'ada', action: 'report.upload' },
      ...{ subject: runId, request_id: '6f1f5a2b-1c3d-4d0a-9a55-0f9d7c528f6e' },
    }),
  },
}
