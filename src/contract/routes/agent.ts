import { AgentHeartbeat, AgentHeartbeatAnswer, Agents } from '../agent.ts'
import { none, type Route } from '../route.ts'

export const agentRoutes = {
  agentHeartbeat: {
    method: 'POST',
    path: '/agents/heartbeat',
    summary: 'Report the state of an agent',
    access: 'pro',
    role: 'member',
    forUploads: true,
    params: none,
    query: none,
    body: AgentHeartbeat,
    answer: AgentHeartbeatAnswer,
    components: { body: 'AgentHeartbeat', answer: 'AgentHeartbeatAnswer' },
    extension: true,
  },
  listAgents: {
    method: 'GET',
    path: '/agents',
    summary: 'List agents and silent clusters',
    access: 'pro',
    role: 'viewer',
    params: none,
    query: none,
    answer: Agents,
    components: { answer: 'AgentList' },
    extension: true,
  },
} as const satisfies Record<string, Route>
