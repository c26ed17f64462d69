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

/** Facts without a day of their own get the day of the response. */
export const toDay = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)

/** A check without changes is written to the store only after this many days; before that, to a file beside it. */
export const mostDays = 7

/** Key in `SyncTimes` for lists of facts; not a valid slug. */
export const factsKey = '*'
