import type { Direction } from './end.ts'

export const syncKinds = ['label', 'subscription', 'profile', 'run'] as const
export type SyncKind = (typeof syncKinds)[number]

export interface SyncItem {
  direction: Direction
  kind: SyncKind
  name: string
  /** Of a run: `name/environment`; null if it has no cluster. */
  cluster?: string | null
  /** Id of a run or profile at its source. */
  id: string | null
  /** Id at its target; null in a dry run, and if the target does not return it. */
  new_id: string | null
  /** `change`: labels are attached to a subscription that exists at both ends. */
  change: 'add' | 'change'
}

/** An item that differs between the ends. It is not written. */
export interface Conflict {
  kind: SyncKind
  name: string
  /** Id of a run or profile at each end. */
  here_id: string | null
  there_id: string | null
  fields: { name: string; here: string; there: string }[]
}

/** Not copied, or only partly. */
export interface LeftOut {
  direction: Direction
  kind: SyncKind
  /** Null: all items of this kind. */
  name: string | null
  id: string | null
  reason: string
}

export interface TransferResult {
  copied: SyncItem[]
  /** Number of items that both ends already had. */
  matched: Record<SyncKind, number>
  conflicts: Conflict[]
  left_out: LeftOut[]
  /** Runs copied by an earlier sync that were deleted since, by a user or by retention. They are not copied again. */
  deleted: LeftOut[]
  /** Sentences about what the result does not cover. */
  notes: string[]
}

export function emptyResult(): TransferResult {
  const matched = { label: 0, subscription: 0, profile: 0, run: 0 }
  return { copied: [], matched, conflicts: [], left_out: [], deleted: [], notes: [] }
}

export const isComplete = ({ conflicts, left_out }: TransferResult): boolean => conflicts.length + left_out.length === 0
