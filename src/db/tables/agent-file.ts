import type { UnixSeconds } from '../../util/time.ts'

/** A file of a watched folder, known by its content. */
export interface AgentFileTable {
  job: string
  /** SHA-256, hex. */
  content_hash: string
  name: string
  outcome: 'done' | 'refused'
  at: UnixSeconds
}
