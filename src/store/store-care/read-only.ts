import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { insteadOf } from '../../errors.ts'

/** Whether the store is read-only, for example on a read-only disk: only a write reveals it. */
export function isReadOnly(db: Db) {
  return write(db, 'nothing', async (trx) => {
    await trx.deleteFrom('meta').where('key', '=', '').execute()
    return false
  }).catch(insteadOf('store_read_only', true))
}
