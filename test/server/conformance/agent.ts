import type { Table } from './table.ts'
import { choice, integer, line, list, otherThan, required, time, type Values, words } from './values.ts'

const job = { name: 'nightly', cluster_name: 'prod-eu', expected_every: 3600 }
const heartbeat = { agent_id: 'a-1', host: 'laptop', version: '1.0.0', uploads_waiting: 0, jobs: [job] }

const agentId: Values = {
  ok: ['a', 'x'.repeat(64), '0b1c6f2e-8a3d-4d57-9d3c-6f0f5b1f7a10'],
  bad: ['', ' ', 'x'.repeat(65), 'a b', 'a/b', 'a\n', 'é', 5, true, null, ['x'], { x: 1 }],
}

/** All of it is beyond the contract. */
export const agentTable: Table<'agentHeartbeat' | 'listAgents'> = {
  agentHeartbeat: {
    good: () => ({ body: heartbeat }),
    body: {
      agent_id: required(agentId),
      host: required(words(253)),
      version: required(words(50)),
      uploads_waiting: required(integer(0, 1_000_000_000)),
      jobs: required(list(1000, job)),
      'jobs.0': { ok: [job], bad: [[], '', ...otherThan('object')] },
      'jobs.0.name': required(words(63)),
      'jobs.0.cluster_name': line(253),
      'jobs.0.environment': line(100),
      'jobs.0.expected_every': integer(60, 366 * 86_400),
      'jobs.0.next_at': time,
      'jobs.0.last_outcome': choice('done', 'failed', 'skipped', 'missed'),
      'jobs.0.last_at': time,
    },
    answer: { success: 'true', server_version: 'string' },
  },
  listAgents: {
    good: async ({ call, owner }) => {
      await call('/agents/heartbeat', { headers: owner.headers, body: heartbeat })
      return {}
    },
    answer: {
      success: 'true',
      items: [
        {
          agent_id: 'string',
          host: 'string',
          version: 'string',
          first_seen_at: 'timestamp',
          last_seen_at: 'timestamp',
          uploads_waiting: 'integer',
          jobs: [
            {
              name: 'string',
              cluster_name: 'string?',
              environment: 'string?',
              expected_every: 'integer?',
              next_at: 'timestamp?',
              last_outcome: 'anything',
              last_at: 'timestamp?',
            },
          ],
        },
      ],
      silent_clusters: 'anything',
    },
  },
}
