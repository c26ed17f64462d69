import type { Generated } from 'kysely'
import type { UnixSeconds } from '../../util/time.ts'

/** A job of the agent, once it has been evaluated. */
export interface AgentJobTable {
  name: string
  /** Text of its schedule: another one starts at the time of the change. */
  schedule: string
  /** Every occurrence up to this instant has been evaluated. */
  watermark: UnixSeconds
  is_paused: Generated<number>
}
