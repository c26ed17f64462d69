import type { Client } from '../client/client.ts'

/** One of the two places that are synced: a server, or a store on this machine. */
export interface End {
  client: Client
  /** As people know it: an address, or `this machine`. */
  name: string
  /** The address, or `local`. Part of the idempotency keys of its runs. */
  address: string
  /** Whose data it is: address, user and team. */
  id: string
  /** Reached over TLS or within this machine, so that settings and webhooks may travel. */
  isPrivate: boolean
}

export type Side = 'here' | 'there'
export type Ends = Record<Side, End>
/** `pull` copies from there to here. */
export type Direction = 'pull' | 'push'

export const sourceFor = (direction: Direction): Side => (direction === 'pull' ? 'there' : 'here')
export const toTarget = (direction: Direction): Side => (direction === 'pull' ? 'here' : 'there')
