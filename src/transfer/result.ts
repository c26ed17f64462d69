import type { Direction } from './end.ts'

export const syncKinds = ['label', 'subscription', 'profile', 'run'] as const
export type SyncKind = (typeof syncKinds)[number]

export interface SyncItem {
  direction: Direction
  kind: SyncKind
  name: string
  /** Of a run: `name/environment`; null where it names none. */
  cluster?: string | null
  /** A run or a profile at its source. */
  id: string | null
  /** At its target; null in a dry run, and where the target does not say it. */
  new_id: string | null
  /** `change`: labels are attached to a subscription that both ends have. */
  change: 'add' | 'change'
}

/** Both ends have it, and it differs. Nothing of it is written. */
export interface Conflict {
  kind: SyncKind
  name: string
  /** A run or a profile at each end. */
  here_id: string | null
  there_id: string | null
  fields: { name: string; here: string; there: string }[]
}

/** Not copied, or not wholly. */
export interface LeftOut {
  direction: Direction
  kind: SyncKind
  /** Null: all of this kind. */
  name: string | null
  id: string | null
  reason: string
}

export interface TransferResult {
  copied: SyncItem[]
  /** Items that both ends had already. */
  matched: Record<SyncKind, number>
  conflicts: Conflict[]
  left_out: LeftOut[]
  /** Runs that a sync copied and that somebody or a retention rule has deleted since. They are not copied again. */
  deleted: LeftOut[]
  /** Sentences about what the result does not cover. */
  notes: string[]
}

export function emptyResult(): TransferResult {
  const matched = { label: 0, subscription: 0, profile: 0, run: 0 }
  return { copied: [], matched, conflicts: [], left_out: [], deleted: [], notes: [] }
}

export const isComplete = ({ conflicts, left_out }: TransferResult): boolean => conflicts.length + left_out.length === 0
