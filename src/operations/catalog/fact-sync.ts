import type { StateFactKind, StateFactSource } from '../../store/facts/state-fact.ts'

/** How the look at a source of facts ended. */
export interface FactSync {
  source: StateFactSource
  kind: StateFactKind
  outcome: 'changed' | 'unchanged' | 'unreachable' | 'limited'
  reason: string | null
  /** How many the store has of it now. */
  facts: number
  /** Day of the facts that the store has, `YYYY-MM-DD`; null: it never answered. */
  as_of: string | null
}

/** Facts without a day of their own are of the day of the answer. */
export const toDay = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** A look without news is written to the store after so many days, and before that only beside it. */
export const mostDays = 7

/** The name for `SyncTimes`; it is no slug. */
export const factsKey = '*'
