/** One try of a request, as `--verbose` tells of it. It holds no headers, so no credentials. */
export interface Exchange {
  method: string
  url: string
  /** Counted from 1. */
  attempt: number
  ms: number
  /** Undefined when no answer came; `failure` says why. */
  status?: number
  failure?: string
  requestId?: string | undefined
  /** What the server says of itself: its version, and its time as HTTP writes it. */
  version?: string | undefined
  date?: string | undefined
  bytes?: number
  /** No request was made: the answer was kept here. */
  cached?: true
}

export type OnExchange = (exchange: Exchange) => void
