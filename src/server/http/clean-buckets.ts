import type { Db } from '../../db/open.ts'
import { removeIdleBuckets } from '../../store/accounts/token-bucket.ts'

/** One in this many calls removes unused buckets. */
const every = 500
let count = 0

export function cleanBuckets(db: Db, nowMs: number): void {
  if (++count % every !== 0) return
  removeIdleBuckets(db, nowMs).catch(() => {})
}
