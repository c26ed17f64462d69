import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'

/** Whether the store is read-only, for example on a read-only disk: only a write reveals it. */
export async function isReadOnly(db: Db): Promise<boolean> {
  try {
    await write(db, 'nothing', (trx) => trx.deleteFrom('meta').where('key', '=', '').execute())
    return false
  } catch (error) {
    if (error instanceof ReltError && error.code === 'store_read_only') return true
    throw error
  }
}
