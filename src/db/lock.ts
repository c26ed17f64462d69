/**
 * Serializes transactions that check and then write: of those with the same lock, one runs at a time, over all servers.
 * `nothing` is for transactions whose statements are each safe by a unique key, a condition or a row lock. A transaction
 * takes several locks in the order of this list, and those of one line by ascending id. `cluster runs` covers the runs of
 * all clusters, because a database has room for only some thousand locks.
 */
export type Lock =
  | 'nothing'
  | 'schema'
  | 'accounts'
  | 'teams'
  | 'catalog'
  | 'agent jobs'
  | 'event routing'
  | `user:${number} ${'keys' | 'sessions' | 'settings' | 'subscriptions' | 'labels' | 'digests'}`
  | `owner:${number} ${'profiles' | 'exceptions' | 'owners' | 'policy' | 'agents' | 'reports'}`
  | 'cluster runs'
  | `cluster:${number} runs`
  | 'silences'
  | `host:${string} failures`
  | 'store keys'
  | 'events'
