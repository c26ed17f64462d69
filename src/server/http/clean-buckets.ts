import type { Db } from '../../db/open.ts'
import { removeIdleBuckets } from '../../store/accounts/token-bucket.ts'

/** Pairs of address and account that have signed in. */
export const knownPair = 'known'
const knownMs = 30 * 86_400_000

/** One of so many calls removes unused buckets. */
const every = 500
let count = 0

export function cleanBuckets(db: Db, nowMs: number): void {
  if (++count % every !== 0) return
  removeIdleBuckets(db, { nowMs, kept: { kind: knownPair, forMs: knownMs } }).catch(() => {})
}
