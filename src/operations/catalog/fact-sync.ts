import type { StateFactKind, StateFactSource } from '../../store/facts/state-fact.ts'

/** Outcome of checking one source of facts. */
export interface FactSync {
  source: StateFactSource
  kind: StateFactKind
  outcome: 'changed' | 'unchanged' | 'unreachable' | 'limited'
  reason: string | null
  /** Number of its facts in the store. */
  facts: number
  /** Day of the stored facts, `YYYY-MM-DD`; null: the source never answered. */
  as_of: string | null
}

/** A check without changes is written to the store only after this many days; before that, to a file beside it. */
export const mostDays = 7

/** Key in `SyncTimes` for lists of facts; not a valid slug. */
export const factsKey = '*'
