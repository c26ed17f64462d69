import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { addTeam } from '../../store/accounts/team.ts'
import { hasAccounts } from '../../store/accounts/user.ts'
import type { Unlock } from '../keys/vault.ts'
import { addKey, newKey } from './api-key.ts'
import { addAccount, addMember } from './grant.ts'

/** The first admin owns this team, and new users can join it. */
const firstTeam = 'default'

export interface FirstAdmin {
  login: string
  /** Application password in plain text; it is not stored. */
  password: string
  team: string
}

/** Creates the first account of a store that has no accounts, and a team for it. */
export async function ensureFirstAdmin(
  service: { db: Db; vault: Unlock },
  now: number,
): Promise<FirstAdmin | undefined> {
  if (await hasAccounts(service.db)) return undefined
  const vault = await service.vault()
  return write(service.db, 'accounts', async (trx) => {
    // Another process may have created it in the meantime.
    if (await hasAccounts(trx)) return undefined
    const user = await addAccount(trx, { login: 'admin', email: null, role: 'admin', plan: 'pro_plus' }, { vault, now })
    const { row, issued } = newKey(vault, { userId: user.id, name: 'First sign-in' }, now)
    await addKey(trx, vault, row)
    const subject = user.login
    await recordAudit(trx, { at: now, user, action: 'user.add-first-admin', subject, requestId: undefined })
    const teamId = await addTeam(trx, firstTeam, now)
    await addMember(trx, vault, { teamId, userId: user.id, role: 'owner' })
    await recordAudit(trx, { at: now, user, action: 'team.create', subject: firstTeam, requestId: undefined })
    return { login: user.login, password: issued.password, team: firstTeam }
  })
}
