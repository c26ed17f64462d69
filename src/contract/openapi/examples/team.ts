import type { Example } from '../../route.ts'
import type { teamRoutes } from '../../routes/team.ts'
import { at } from './shared.ts'

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

export const teamExamples: Record<keyof typeof teamRoutes, Example> = {
  listTeamSubscriptions: {
    params: { team: 'platform' },
    answer: {
      ...{ page: 1, per_page: 20, total: 1, total_pages: 1 },
      items: [{ product_id: 2, name: 'argo-cd', followers: ['ada', 'grace'] }],
    },
  },
  getTeam: { params: { team: 'platform' }, answer: team },
  addTeamMember: {
    params: { team: 'platform' },
    body: { login: 'grace', role: 'member' },
    answer: { success: true, ...team },
  },
  setTeamRole: {
    params: { team: 'platform', login: 'grace' },
    body: { role: 'member' },
    answer: { success: true, ...team },
  },
  removeTeamMember: { params: { team: 'platform', login: 'bea' }, answer: { success: true, ...team } },
}
