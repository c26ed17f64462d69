import type * as z from 'zod/mini'
import type { RouteNoun, RoutesOf } from '../contract/nouns.ts'
import type { RouteAnswer, RouteName, Routes } from '../contract/routes.ts'
import type { Plan } from '../contract/subscription.ts'
import type { Lock } from '../db/lock.ts'
import type { Db } from '../db/open.ts'
import { notFound } from '../errors.ts'
import type { Owner } from '../store/accounts/owner.ts'
import type { User } from '../store/accounts/user.ts'
import type { Service } from './service.ts'

/** A request from any transport, not validated yet. */
export interface Request {
  params?: unknown
  query?: unknown
  body?: unknown
  /** The report of an upload, as text separate from the body. */
  report?: Uint8Array
  idempotencyKey?: string | undefined
  user: User | undefined
  /** Name of the team that the user acts for, instead of the default one; `me` is the user's own account. */
  team?: string | undefined
  /** Id from the transport, for the audit. */
  requestId?: string | undefined
  /** Base URL of the API, as the caller reached it; absent for a local call. */
  server?: string | undefined
}

export interface HandlerContext extends Omit<Service, 'now'> {
  now: number
}

/** A request with values validated by the contract. */
export interface CheckedRequest<N extends RouteName> {
  params: z.output<Routes[N]['params']>
  query: z.output<Routes[N]['query']>
  body: Routes[N] extends { body: infer B extends z.ZodMiniObject } ? z.output<B> : undefined
  report: Uint8Array | undefined
  idempotencyKey: string | undefined
  server: string | undefined
  /** The caller; always set unless the route is public. */
  user: Signed<N, User>
  /** The owner of the resources, a user or team; for routes with a role. */
  owner: Routes[N] extends { role: string } ? Signed<N, Owner> : undefined
  /** The account whose subscriptions and notifications the route uses. */
  account: Routes[N] extends { account: string } ? Signed<N, NotifiedAccount> : undefined
}

/** The caller's own account, or a team's. */
export interface NotifiedAccount {
  id: number
  plan: Plan
  /** Name of the team; null for the caller's own account. */
  team: string | null
  /** The caller has read-only access. */
  isViewer: boolean
}

type Signed<N extends RouteName, T> = Routes[N]['access'] extends 'public' ? T | undefined : T

/** The handlers of a noun. */
export type Handlers<K extends RouteNoun> = {
  [N in RoutesOf<K>]: (context: HandlerContext, request: CheckedRequest<N>) => Promise<HandlerResult<N>>
}

/** Makes an audited change in the transaction that writes the audit entry. */
export interface Change<A> {
  lock: Lock
  write: (trx: Db) => Promise<A>
}

export function change<A>(lock: Lock, write: Change<A>['write']): Change<A> {
  return { lock, write }
}

type HandlerResult<K extends RouteName> = Routes[K] extends { audit: string; method: 'POST' | 'PUT' | 'DELETE' }
  ? Change<RouteAnswer<K>>
  : RouteAnswer<K>

/** A non-numeric id in a path does not exist: returns 404. */
export function toId(what: string, id: string) {
  if (!/^\d{1,15}$/.test(id)) throw notFound(what, id)
  return Number(id)
}
