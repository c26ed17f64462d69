import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import type { ReceivedAnswer, RouteInput, RouteName } from '../contract/routes.ts'

/** The contract as a program calls it; whether a server or this process answers, the caller does not know. */
export interface Client {
  /** Throws `ReltError`, the server's own when a server answered. */
  call<N extends RouteName>(name: N, input: RouteInput<N>): Promise<ReceivedAnswer<N>>
  /** A call by address, answered as it comes: fields and routes that the contract does not know included. */
  request(request: RawRequest): Promise<unknown>
  /** A run with the text of its report. A server may leave the report out. Throws as `call` does. */
  download(run_id: string): Promise<DownloadedRun>
  close(): Promise<void>
}

export interface DownloadedRun {
  run: ReceivedRun
  /** JSON text as the server sends it; relt's own send it as it was uploaded. */
  report: Uint8Array | undefined
}

export interface RawRequest {
  method: string
  /** Below the base address, such as `/projects`. */
  path: string
  query?: Record<string, string>
  /** JSON text. */
  body?: Uint8Array | undefined
}
