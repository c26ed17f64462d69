import { setTimeout as wait } from 'node:timers/promises'
import { findMeta, setMeta } from '../../db/meta.ts'
import type { Db } from '../../db/open.ts'
import { lockedMessage } from '../../db/sqlite-error.ts'
import { type ErrorCode, ReltError } from '../../errors.ts'

const failures: ErrorCode[] = ['store_full', 'store_read_only', 'store_unusable']

/** Enough that a disk with a few free pages does not pass the check. */
const checkBytes = 256 * 1024

/** How long an answer waits for the result of a check. */
const answerMs = 200

/**
 * Health of the store. It becomes unready when a write fails, or times out on a lock of another process, until a check can
 * write. Checks only run then, on demand and one at a time, and the answer does not wait for a lock.
 */
export class StoreHealth {
  #hasFailed = false
  #checking: Promise<void> | undefined

  noteError(error: unknown) {
    if (!(error instanceof ReltError)) return
    const isLocked = error.code === 'busy' && error.message === lockedMessage
    if (isLocked || failures.includes(error.code)) this.#hasFailed = true
  }

  async isReady(db: Db) {
    try {
      if (this.#hasFailed) {
        this.#checking ??= this.#check(db).finally(() => {
          this.#checking = undefined
        })
        await Promise.race([this.#checking, wait(answerMs, undefined, { ref: false })])
        if (this.#hasFailed) return false
      }
      await findMeta(db, 'catalog_date')
      return true
    } catch {
      return false
    }
  }

  async #check(db: Db) {
    try {
      await setMeta(db, 'write_check', ' '.repeat(checkBytes))
      await setMeta(db, 'write_check', '')
      this.#hasFailed = false
    } catch {
      // The next request checks again.
    }
  }
}
