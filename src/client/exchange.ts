/** One attempt of a request, for `--verbose`. It has no headers, so no credentials. */
export interface Exchange {
  method: string
  url: string
  /** Counted from 1. */
  attempt: number
  ms: number
  /** Undefined if there was no answer; `failure` says why. */
  status?: number
  failure?: string
  requestId?: string | undefined
  /** The server's version, and its time in HTTP's format. */
  version?: string | undefined
  date?: string | undefined
  bytes?: number
}

export type OnExchange = (exchange: Exchange) => void
