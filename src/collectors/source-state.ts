/** State for a collector's next sync. It is opaque to the caller, who stores it. */
export interface SourceState {
  etag?: string
  lastModified?: string
  /** Format defined by the collector. */
  cursor?: string
}
