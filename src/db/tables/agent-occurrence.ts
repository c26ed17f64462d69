import type { Generated } from 'kysely'
import type { UnixSeconds } from '../../util/time.ts'

export const occurrenceCauses = ['schedule', 'trigger', 'file'] as const
export const occurrenceStates = ['pending', 'running', 'done', 'failed', 'skipped', 'missed'] as const

/** One occurrence of a job, or several that were missed one after the other. */
export interface AgentOccurrenceTable {
  id: Generated<number>
  job: string
  cause: (typeof occurrenceCauses)[number]
  /** The instant of the schedule. */
  due_at: UnixSeconds
  /** The last instant of several; equal to `due_at` for one. */
  until_at: UnixSeconds
  /** Number of occurrences; null for more than were counted. */
  count: number | null
  state: (typeof occurrenceStates)[number]
  attempts: Generated<number>
  /** The agent that runs it, and until when it has to say so again. */
  owner: string | null
  lease_until: UnixSeconds | null
  started_at: UnixSeconds | null
  finished_at: UnixSeconds | null
  late_seconds: Generated<number>
  run_id: string | null
  score: number | null
  verdict: string | null
  exit_code: number | null
  /** A reason or the end of an error output, with secrets masked. */
  detail: string | null
}
