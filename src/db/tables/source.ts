export interface SourceTable {
  project_id: number
  kind: 'github' | 'helm' | 'oci' | 'advisories' | 'eol'
  url: string
  /** What the collector wants to know at its next look. */
  etag: string | null
  last_modified: string | null
  cursor: string | null
  /** Of the last look. */
  outcome: 'changed' | 'unchanged' | 'absent' | 'unreachable' | 'limited'
  reason: string | null
  retry_at: number | null
  looked_at: number
  /** The last look that told how things are. */
  answered_at: number | null
  /** The last look that brought something new. */
  changed_at: number | null
}
