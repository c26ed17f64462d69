import type { SourceState } from '../source-state.ts'

export interface SourceRequest {
  url: string
  method?: 'GET' | 'HEAD' | 'POST'
  body?: string
  headers?: Record<string, string>
  /** Sent only to the origin of `url`, even after redirects. */
  originHeaders?: Record<string, string>
  /** Like `originHeaders`, and never over plain HTTP to another machine. */
  secretHeaders?: Record<string, string>
  /** State of the last request, which makes this one conditional. */
  state?: SourceState
  /** Accepted media types, without parameters: `application/json`. Any other answer comes from another site. */
  types: readonly string[]
  /** Size limit of the decompressed answer. */
  maxBytes?: number
  /** Name of the host's rate limit that applies, if there are several. */
  budget?: string
}

export interface Budget {
  limit: number
  remaining: number
  /** Unix seconds. */
  resetAt: number
}
