import type { RouteAnswer, RouteInput, RouteName } from '../contract/routes.ts'

/** The contract as a program calls it; whether a server or this process answers, the caller does not know. */
export interface Client {
  /** Throws `ReltError`, the server's own when a server answered. */
  call<N extends RouteName>(name: N, input: RouteInput<N>): Promise<RouteAnswer<N>>
  close(): Promise<void>
}
