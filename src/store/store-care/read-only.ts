import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'

/** The store is on a read-only disk, for example: only a write shows it. */
export async function isReadOnly(db: Db): Promise<boolean> {
  try {
    await write(db, 'nothing', (trx) => trx.deleteFrom('meta').where('key', '=', '').execute())
    return false
  } catch (error) {
    if (error instanceof ReltError && error.code === 'store_read_only') return true
    throw error
  }
}
