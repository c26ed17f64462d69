import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { User } from '../../store/accounts/user.ts'
import type { HeldBytes } from './body-budget.ts'

/** Facts about a request, collected while it is processed. */
export interface RequestState {
  requestId: string
  /** IP address of the caller. */
  client: string
  /** Key for rate limits: the IPv4 address, or the IPv6 network. */
  address: string
  /** The caller uses TLS, to this server or to the proxy. */
  secure: boolean
  /** Origin of the server: as set by the operator, else as the caller reached it, `https://host:port`. */
  origin: string | undefined
  /** Name of the route; `none` for unknown paths. */
  route: string
  /** Path of the route with its `{param}`s. */
  path: string | undefined
  user: User | undefined
  /** Name of the team that the caller chose. */
  team: string | undefined
  /** Kind of credentials that were tried, valid or not. */
  triedWith: 'basic' | 'session' | undefined
  /** Size of the answer's body as sent. */
  bytes: number
  /** Kind of rejected credentials. */
  refused: 'key' | 'password' | undefined
  /** The session of a valid cookie. It identifies a user only together with its nonce. */
  session: { token: string; nonce: string; expiresAt: number; user: User } | undefined
  /** Part of a batch. `dry`: validate only. */
  inner: 'run' | 'dry' | undefined
  /** Memory used by the request's body. */
  held: HeldBytes
  /** Size of the uncompressed body in bytes. */
  bodyBytes: number
  /** CPU time of worker threads, in milliseconds. */
  cpuMs: number
  /** The server is shutting down: closes the connection after the answer. */
  closing: boolean
}

/** `incoming` and `outgoing` exist for requests from a socket, `outer` in a batch; `app.request()` in tests has neither. */
export interface Bindings {
  incoming?: IncomingMessage
  outgoing?: ServerResponse
  outer?: { state: RequestState; inner: 'run' | 'dry' }
}

export interface HttpEnv {
  Bindings: Bindings
  Variables: { state: RequestState }
}

export type HttpContext = Context<HttpEnv>

/** Owner for rate limits: the account, else the address. */
export const ownerFor = ({ user, address }: RequestState) => (user ? `user ${user.id}` : address)

/** A caller may send its own id to find its request in the log. */
export function toRequestId(header: string | undefined) {
  return header && /^[A-Za-z0-9-]{8,64}$/.test(header) ? header : randomUUID()
}
