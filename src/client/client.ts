import type { ReceivedAnswer, RouteInput, RouteName } from '../contract/routes.ts'

/** Calls routes of the contract, whether a server or this process answers. */
export interface RouteCaller {
  /** Throws `ReltError`; the server's own error if a server answered. */
  call<N extends RouteName>(name: N, input: RouteInput<N>): Promise<ReceivedAnswer<N>>
}

/** The contract as a program calls it. */
export interface Client extends RouteCaller {
  /** A request by path, with the raw answer, including fields and routes that the contract does not define. */
  request(request: RawRequest): Promise<unknown>
  /** Like `call`, with the text of the answer's `report`, which a server may omit. */
  download<N extends RouteName>(name: N, input: RouteInput<N>): Promise<Download<N>>
  close(): Promise<void>
}

interface Download<N extends RouteName> {
  /** The answer without its report. */
  answer: ReceivedAnswer<N>
  /** JSON text as the server sends it; relt's servers send it as it was uploaded. */
  report: Uint8Array | undefined
}

export interface RawRequest {
  method: string
  /** Path below the base URL, such as `/projects`. */
  path: string
  query?: Record<string, string>
  /** JSON text. */
  body?: Uint8Array | undefined
}
