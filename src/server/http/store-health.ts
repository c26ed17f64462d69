import type { Db } from '../../db/open.ts'
import { type ErrorCode, ReltError } from '../../errors.ts'
import { findMeta, setMeta } from '../../store/meta.ts'

const failures: ErrorCode[] = ['store_full', 'store_read_only', 'store_unusable']

/** Enough that a disk with a few free pages does not count as usable. */
const checkBytes = 256 * 1024

/** Health of the store: after a failed write it is not ready until a write succeeds. */
export class StoreHealth {
  #hasFailed = false

  noteError(error: unknown): void {
    if (error instanceof ReltError && failures.includes(error.code)) this.#hasFailed = true
  }

  async isReady(db: Db): Promise<boolean> {
    try {
      if (this.#hasFailed) {
        await setMeta(db, 'write_check', ' '.repeat(checkBytes))
        await setMeta(db, 'write_check', '')
        this.#hasFailed = false
      }
      await findMeta(db, 'catalog_date')
      return true
    } catch {
      return false
    }
  }
}
