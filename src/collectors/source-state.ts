/** What a collector wants to know at its next look; the caller keeps it and understands none of it. */
export interface SourceState {
  etag?: string
  lastModified?: string
  /** The collector's own. */
  cursor?: string
}
