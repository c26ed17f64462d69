import { AgentHeartbeat, AgentHeartbeatAnswer, Agents } from '../agent.ts'
import { toRoutes } from '../route.ts'

export const agentRoutes = toRoutes({
  agentHeartbeat: {
    method: 'POST',
    path: '/agents/heartbeat',
    summary: 'Report the state of an agent',
    role: 'member',
    forUploads: true,
    body: AgentHeartbeat,
    answer: AgentHeartbeatAnswer,
    components: { body: 'AgentHeartbeat', answer: 'AgentHeartbeatAnswer' },
    extension: true,
  },
  listAgents: {
    method: 'GET',
    path: '/agents',
    summary: 'List agents and silent clusters',
    role: 'viewer',
    answer: Agents,
    components: { answer: 'AgentList' },
    extension: true,
  },
})
