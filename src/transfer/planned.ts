import type { ActionCall } from '../declarative/action.ts'
import type { Direction } from './end.ts'
import type { Conflict, LeftOut, SyncItem, SyncKind } from './result.ts'

/** A request to the target end that copies an item. */
export interface PlannedCopy {
  item: SyncItem
  step: ActionCall
  /** Set for a subscription that several requests create or complete. */
  productId?: number
}

/** Difference of two ends in one kind of item, in the requested directions. */
export interface TransferDifference {
  copies: PlannedCopy[]
  matched: Partial<Record<SyncKind, number>>
  conflicts: Conflict[]
  left_out: LeftOut[]
}

export const emptyDifference = (): TransferDifference => ({ copies: [], matched: {}, conflicts: [], left_out: [] })

export function toItem(
  direction: Direction,
  kind: SyncKind,
  name: string,
  more: Partial<Pick<SyncItem, 'id' | 'change' | 'cluster'>> = {},
): SyncItem {
  return { direction, kind, name, id: null, new_id: null, change: 'add', ...more }
}
