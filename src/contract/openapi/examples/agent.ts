import type { Example } from '../../route.ts'
import type { agentRoutes } from '../../routes/agent.ts'
import { at } from './shared.ts'

const agentJob = {
  ...{ name: 'nightly', cluster_name: 'shop-prod', environment: 'prod', expected_every: 86_400 },
  ...{ next_at: at, last_outcome: 'done', last_at: at },
}
const agent = {
  ...{ agent_id: '0b1c6f2e-8a3d-4d57-9d3c-6f0f5b1f7a10', host: 'laptop', version: '0.1.0', uploads_waiting: 0 },
  ...{ first_seen_at: at, last_seen_at: at },
}

export const agentExamples: Record<keyof typeof agentRoutes, Example> = {
  agentHeartbeat: {
    body: {
      ...{ agent_id: agent.agent_id, host: agent.host, version: agent.version, uploads_waiting: 0 },
      jobs: [agentJob],
    },
    answer: { success: true, server_version: '0.1.0' },
  },
  listAgents: {
    answer: {
      success: true,
      items: [{ ...agent, jobs: [agentJob] }],
      silent_clusters: [
        {
          ...{ cluster_name: 'shop-prod', environment: 'prod', expected_every: 86_400 },
          ...{ last_report_at: at, silent_since: at },
        },
      ],
    },
  },
}
