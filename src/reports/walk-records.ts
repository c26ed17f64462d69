import { findingSeverities } from '../contract/choices.ts'
import { countAt, fingerprintOrder, isRestAt, isUnlistedAt, placesAt, rankAt, recordLength } from './finding-records.ts'
import type { NodeMoves, PlaceMoves } from './place-moves.ts'

/** A finding whose number of rows differs between two runs, with the difference. */
export interface MovedRows {
  /** Offset of the record in this run. */
  at: number
  rows: number
  /** The other run has the finding too, with another count. */
  isInBoth: boolean
  /** Offset of the record in the other run, if that has the finding with another count. */
  other?: number
  /** Numbers of the places that differ, for a finding in many places. */
  places?: number[] | undefined
  /** How the nodes differ, for a finding of nodes in both runs. */
  nodes?: NodeMoves
}

export interface Walk {
  /** More rows in `to`, by offset there. */
  came: MovedRows[]
  /** More rows in `from`, by offset there. */
  gone: MovedRows[]
  /** Offset in `to`, with the rank of the severity in `from`. */
  worse: [at: number, rankBefore: number][]
  unchangedCount: number
}

/** Walks two sorted lists of records in parallel. `compareUnlisted` handles unlisted rows. */
export function walkRecords(from: Buffer, to: Buffer, moves: PlaceMoves): Walk {
  const result: Walk = { came: [], gone: [], worse: [], unchangedCount: 0 }
  const orderOf = fingerprintOrder(from, to)
  let a = 0
  let b = 0
  while (a < from.length || b < to.length) {
    const order = a >= from.length ? 1 : b >= to.length ? -1 : orderOf(a, b)
    if (order < 0) {
      if (!isUnlistedAt(from, a)) result.gone.push(whole(from, a, moves.from.sets))
    } else if (order > 0) {
      if (!isUnlistedAt(to, b)) result.came.push(whole(to, b, moves.to.sets))
    } else {
      const moved = movedRows(from, a, to, b, moves)
      const isWorse = mayBeWorse(rankAt(from, a), rankAt(to, b))
      if (moved.came) result.came.push(moved.came)
      if (moved.gone) result.gone.push(moved.gone)
      if (isWorse) result.worse.push([b, rankAt(from, a)])
      if (!moved.came && !moved.gone && !isWorse && !isRestAt(to, b)) result.unchangedCount++
    }
    if (order <= 0) a += recordLength
    if (order >= 0) b += recordLength
  }
  return result
}

const unknownRank = findingSeverities.indexOf('unknown')

/** A severity that became unknown may be higher than any other but the first. */
function mayBeWorse(before: number, after: number): boolean {
  return after === unknownRank ? before > 0 && before !== unknownRank : after < before
}

function whole(records: Buffer, at: number, sets: number[][]): MovedRows {
  const set = placesAt(records, at)
  return { at, rows: countAt(records, at), isInBoth: false, places: set === undefined ? undefined : sets[set] }
}

/** Differences of a finding in both runs. If it has many places, compares these rather than their number. */
function movedRows(from: Buffer, a: number, to: Buffer, b: number, moves: PlaceMoves) {
  const [before, after] = [placesAt(from, a), placesAt(to, b)]
  const nodes =
    before !== undefined && after !== undefined && moves.areNodes(after)
      ? moves.betweenNodes(moves.from.sets[before]!, moves.to.sets[after]!)
      : undefined
  if (before !== undefined && after !== undefined && !nodes) {
    const { came, gone } = moves.between(before, after)
    return {
      came: came.length > 0 ? { at: b, rows: came.length, isInBoth: true, places: came } : undefined,
      gone: gone.length > 0 ? { at: a, rows: gone.length, isInBoth: true, places: gone } : undefined,
    }
  }
  const more = isUnlistedAt(to, b) ? 0 : countAt(to, b) - countAt(from, a)
  // One node fails while another recovers: the count is unchanged.
  const isSwapped = more === 0 && nodes !== undefined && nodes.known.length + nodes.joined.length > 0
  const both = { isInBoth: true, ...(nodes && { nodes }) }
  return {
    came: more > 0 || isSwapped ? { at: b, rows: more, other: a, ...both } : undefined,
    gone: more < 0 ? { at: a, rows: -more, other: b, ...both } : undefined,
  }
}
