import type { Client } from '../client/client.ts'

/** One of the two places to sync: a server, or a local store. */
export interface End {
  client: Client
  /** Name for users: a URL, or `this machine`. */
  name: string
  /** The URL, or `local`. Part of the idempotency keys of its runs. */
  address: string
  /** Identifies the data's owner: URL, user and team. */
  id: string
  /** Reached over TLS or within this machine, so that settings and webhooks may be transferred. */
  isPrivate: boolean
}

export type Side = 'here' | 'there'
export type Ends = Record<Side, End>
/** `pull` copies from there to here. */
export type Direction = 'pull' | 'push'

export const sourceFor = (direction: Direction): Side => (direction === 'pull' ? 'there' : 'here')
export const toTarget = (direction: Direction): Side => (direction === 'pull' ? 'here' : 'there')
