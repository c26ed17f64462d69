import type { Db } from '../db/open.ts'
import { inTransaction } from '../db/transaction.ts'
import { insertKey } from '../store/api-key.ts'
import { recordAudit } from '../store/audit.ts'
import { addUser, hasAccounts } from '../store/user.ts'
import { newKey } from './api-key.ts'
import type { Vault } from './vault.ts'

/** Creates the first account of a store without sign-in. Returns its application password, which is not stored. */
export async function ensureFirstAdmin(
  service: { db: Db; vault: () => Promise<Vault> },
  now: number,
): Promise<{ login: string; password: string } | undefined> {
  if (await hasAccounts(service.db)) return undefined
  const vault = await service.vault()
  return inTransaction(service.db, async (trx) => {
    // Another process may have been quicker.
    if (await hasAccounts(trx)) return undefined
    const user = await addUser(trx, { login: 'admin', email: null, role: 'admin', plan: 'pro_plus' }, now)
    const { row, issued } = newKey(vault, { userId: user.id, name: 'First sign-in' }, now)
    await insertKey(trx, row)
    const subject = user.login
    await recordAudit(trx, { at: now, user, action: 'user.add-first-admin', subject, requestId: undefined })
    return { login: user.login, password: issued.password }
  })
}
