import type { ReceivedAnswer, RouteInput, RouteName } from '../contract/routes.ts'

/** The contract as a program calls it; whether a server or this process answers, the caller does not know. */
export interface Client {
  /** Throws `ReltError`, the server's own when a server answered. */
  call<N extends RouteName>(name: N, input: RouteInput<N>): Promise<ReceivedAnswer<N>>
  /** A call by address, answered as it comes: fields and routes that the contract does not know included. */
  request(request: RawRequest): Promise<unknown>
  /** The same with the text of the answer's `report`, which a server may leave out. */
  download<N extends RouteName>(name: N, input: RouteInput<N>): Promise<Download<N>>
  close(): Promise<void>
}

interface Download<N extends RouteName> {
  /** Without its report. */
  answer: ReceivedAnswer<N>
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
