import type { UnixSeconds } from '../../util/time.ts'
export interface SourceTable {
  project_id: number
  kind: 'github' | 'helm' | 'oci' | 'advisories' | 'osv' | 'eol'
  url: string
  /** State that the collector needs at the next sync. */
  etag: string | null
  last_modified: string | null
  cursor: string | null
  /** Outcome of the last request. */
  outcome: 'changed' | 'unchanged' | 'absent' | 'unreachable' | 'limited'
  reason: string | null
  retry_at: UnixSeconds | null
  looked_at: UnixSeconds
  /** Time of the last successful request. */
  answered_at: UnixSeconds | null
  /** Time of the last request with changes. */
  changed_at: UnixSeconds | null
}
