import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { insteadOf } from '../../errors.ts'

/** The store is on a read-only disk, for example: only a write shows it. */
export function isReadOnly(db: Db): Promise<boolean> {
  return write(db, 'nothing', async (trx) => {
    await trx.deleteFrom('meta').where('key', '=', '').execute()
    return false
  }).catch(insteadOf('store_read_only', true))
}
