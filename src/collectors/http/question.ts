import type { SourceState } from '../source-state.ts'

export interface Question {
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
  /** What the answer may be, without parameters: `application/json`. Anything else is an answer of somebody else. */
  types: readonly string[]
  /** Of the answer, unpacked. */
  maxBytes?: number
  /** Which of the host's limits it counts for, where there are several. */
  budget?: string
}

export interface Budget {
  limit: number
  remaining: number
  /** Unix seconds. */
  resetAt: number
}
