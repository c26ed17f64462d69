import type { ActionCall } from '../declarative/action.ts'
import type { Direction } from './end.ts'
import type { Conflict, LeftOut, SyncItem, SyncKind } from './result.ts'

/** A call at the target end that copies an item. */
export interface PlannedCopy {
  item: SyncItem
  step: ActionCall
  /** A subscription that is made or finished by several calls. */
  productId?: number
}

/** The difference of two ends in something, in the directions that were asked for. */
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
