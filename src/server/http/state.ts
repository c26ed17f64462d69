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
  /** The same for limits: of IPv6 its network. */
  address: string
  /** The caller speaks TLS, with us or with the proxy. */
  secure: boolean
  /** Address of the server: the one that its operator set, else as the caller reached it, `https://host:port`. */
  origin: string | undefined
  /** Name of the route; `none` for unknown addresses. */
  route: string
  /** Path of the route with its `{param}`s. */
  path: string | undefined
  user: User | undefined
  /** Name of the team that the caller chose. */
  team: string | undefined
  /** The credentials that were tried, valid or not. */
  triedWith: 'basic' | 'session' | undefined
  /** Size of the answer's body as sent. */
  bytes: number
  /** The kind of the refused credentials. */
  refused: 'key' | 'password' | undefined
  /** The session of a valid cookie. It identifies a user only together with its nonce. */
  session: BrowserSession | undefined
  /** Part of a batch. `dry`: to be checked only. */
  inner: 'run' | 'dry' | undefined
  /** Memory held by the request's body. */
  held: HeldBytes
  /** Bytes of the body, unpacked. */
  bodyBytes: number
  /** CPU time of worker threads. */
  cpuMs: number
  /** The server is going down: the connection ends with the answer. */
  closing: boolean
}

interface BrowserSession {
  token: string
  nonce: string
  /** Unix seconds. */
  expiresAt: number
  user: User
}

/** `incoming` and `outgoing` come with a socket, `outer` with a batch; `app.request()` in tests has neither. */
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

/** Whom limits are about: the account, else the address. */
export const ownerFor = ({ user, address }: Pick<RequestState, 'user' | 'address'>): string =>
  user ? `user ${user.id}` : address

/** A caller may send its own id to find its request in the log. */
export function toRequestId(header: string | undefined): string {
  return header && /^[A-Za-z0-9-]{8,64}$/.test(header) ? header : randomUUID()
}
