import type { Generated } from 'kysely'
import type { UnixSeconds } from '../../util/time.ts'

/** An agent of some machine, by its last heartbeat. */
export interface AgentTable {
  id: Generated<number>
  owner_id: number
  agent_id: string
  host: string
  version: string
  uploads_waiting: number
  first_seen_at: UnixSeconds
  last_seen_at: UnixSeconds
  /** JSON. */
  jobs: string
}

/** How often an agent uploads reports of a cluster. */
export interface AgentClusterTable {
  /** The row of the agent. */
  agent: number
  cluster_name: string
  environment: string
  expected_every: number
  /** Since when this is expected. */
  since: UnixSeconds
}
