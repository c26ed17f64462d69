import { findingSeverities } from '../contract/choices.ts'
import { compareFingerprints, countAt, isRestAt, isUnlistedAt, rankAt, recordLength } from './finding-records.ts'

/** A finding of one run, and by how many rows it differs from the other run. */
export interface MovedRows {
  /** Offset of its record. */
  at: number
  rows: number
  /** The other run has it too, with another count. */
  isInBoth: boolean
}

export interface Walk {
  /** More in `to`, by offsets there. */
  came: MovedRows[]
  /** More in `from`, by offsets there. */
  gone: MovedRows[]
  /** Offset in `to`, with the rank of the severity it had in `from`. */
  worse: [at: number, rankBefore: number][]
  unchangedCount: number
}

/** Two sorted lists of records, side by side. Rows that are not listed are left to `compareUnlisted`. */
export function walkRecords(from: Buffer, to: Buffer): Walk {
  const result: Walk = { came: [], gone: [], worse: [], unchangedCount: 0 }
  let a = 0
  let b = 0
  while (a < from.length || b < to.length) {
    const order = a >= from.length ? 1 : b >= to.length ? -1 : compareFingerprints(from, a, to, b)
    if (order < 0) {
      if (!isUnlistedAt(from, a)) result.gone.push({ at: a, rows: countAt(from, a), isInBoth: false })
    } else if (order > 0) {
      if (!isUnlistedAt(to, b)) result.came.push({ at: b, rows: countAt(to, b), isInBoth: false })
    } else {
      const more = isUnlistedAt(to, b) ? 0 : countAt(to, b) - countAt(from, a)
      const isWorse = mayBeWorse(rankAt(from, a), rankAt(to, b))
      if (more > 0) result.came.push({ at: b, rows: more, isInBoth: true })
      if (more < 0) result.gone.push({ at: a, rows: -more, isInBoth: true })
      if (isWorse) result.worse.push([b, rankAt(from, a)])
      if (more === 0 && !isWorse && !isRestAt(to, b)) result.unchangedCount++
    }
    if (order <= 0) a += recordLength
    if (order >= 0) b += recordLength
  }
  return result
}

const unknownRank = findingSeverities.indexOf('unknown')

/** A severity that is no longer known may be higher than every other but the first. */
function mayBeWorse(before: number, after: number): boolean {
  return after === unknownRank ? before > 0 && before !== unknownRank : after < before
}
