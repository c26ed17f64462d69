import type { SourceState } from '../source-state.ts'

export interface SourceRequest {
  url: string
  method?: 'GET' | 'HEAD' | 'POST'
  body?: string
  headers?: Record<string, string>
  /** Sent to the origin of the `url` alone, wherever that redirects to. */
  originHeaders?: Record<string, string>
  /** The same, and never over plain HTTP to another machine. */
  secretHeaders?: Record<string, string>
  /** Makes the request conditional. */
  state?: SourceState
  /** Accepted media types, without parameters: `application/json`. Any other answer comes from another site. */
  types: readonly string[]
  /** Size limit of the unpacked answer. */
  maxBytes?: number
  /** Name of the host's rate limit that it counts for, if there are several. */
  budget?: string
}

export interface Budget {
  limit: number
  remaining: number
  /** Unix seconds. */
  resetAt: number
}
