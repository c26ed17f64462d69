import type { UnixSeconds } from '../../util/time.ts'

export type StateFactSource = 'file' | 'kev' | 'github' | 'helm' | 'k3s' | 'rke2'
export type StateFactKind =
  | 'project'
  | 'fault'
  | 'repository'
  | 'rule'
  | 'exploited'
  | 'compatibility'
  | 'removal'
  | 'breaking'

/** All facts of a kind that a source told. */
export interface StateFactTable {
  source: StateFactSource
  kind: StateFactKind
  /** A JSON array. */
  facts: string
  /** The day that the source says its facts are of, `YYYY-MM-DD`. */
  as_of: string | null
  /** Of the last answer. */
  answered_at: UnixSeconds | null
  /** For conditional requests, as JSON. */
  state: string
}
