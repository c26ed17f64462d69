import type { Table } from './table.ts'
import { choice, inQuery, otherThan, required } from './values.ts'

type TeamRoute = 'getTeam' | 'listTeamSubscriptions' | 'addTeamMember' | 'setTeamRole' | 'removeTeamMember'

const team = {
  name: 'string',
  created: 'timestamp',
  members: 'integer',
  clusters: 'integer',
  runs: 'integer',
  profiles: 'integer',
  role: 'owner|member|viewer',
  items: [{ login: 'string', role: 'owner|member|viewer' }],
  'notifications?': {
    email: 'string?',
    channels: [{ channel: 'string', address: 'string' }],
    subscriptions: 'integer',
    settings: 'anything',
    gate_policy_changed_at: 'timestamp?',
  },
}
const saved = { success: 'true', ...team }
const role = required(choice('viewer', 'member', 'owner'))

/** All of it is beyond the contract. */
export const teamTable: Table<TeamRoute> = {
  getTeam: {
    good: async ({ makeTeam }) => ({ params: { team: (await makeTeam()).team } }),
    answer: team,
  },
  listTeamSubscriptions: {
    good: async ({ makeTeam }) => ({ params: { team: (await makeTeam()).team } }),
    query: {
      product_id: inQuery.whole(1, Number.MAX_SAFE_INTEGER),
      page: inQuery.whole(1, 1_000_000),
      per_page: inQuery.whole(1, 100),
    },
    mayFindNothing: true,
    answer: {
      ...{ page: 'integer', per_page: 'integer', total: 'integer', total_pages: 'integer' },
      items: [{ product_id: 'integer', name: 'string', followers: ['string'], 'by_team?': 'boolean' }],
    },
  },
  addTeamMember: {
    good: async ({ makeTeam }) => ({
      params: { team: (await makeTeam()).team },
      body: { login: 'free', role: 'member' },
    }),
    body: {
      login: required({
        ok: [],
        unknown: ['x', 'local', 'x'.repeat(100), '__proto__', "' or 1=1 --"],
        bad: ['', ' ', 'x'.repeat(101), 'a\nb', ...otherThan('text')],
      }),
      role,
    },
    answer: saved,
  },
  setTeamRole: {
    good: async ({ makeTeam }) => ({ params: { ...(await makeTeam()) }, body: { role: 'member' } }),
    body: { role },
    answer: saved,
  },
  removeTeamMember: {
    good: async ({ makeTeam }) => ({ params: { ...(await makeTeam()) } }),
    answer: saved,
  },
}
