/**
 * Serializes transactions that check and then write: of those with the same name, one runs at a time, over all servers.
 * `nothing` is for transactions in which each statement is safe by itself, by a unique key, a condition or a row lock.
 * A transaction that takes several takes them in the order of this list, and those of one line by ascending id.
 * `cluster runs` are those of all clusters: a database has room for some thousand locks.
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
