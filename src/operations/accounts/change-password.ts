import { Password } from '../../contract/account.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { invalidParams, ReltError } from '../../errors.ts'
import { findCredentials } from '../../store/accounts/account.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { removeSessionsFor } from '../../store/accounts/session.ts'
import type { User } from '../../store/accounts/user.ts'
import type { UnixSeconds } from '../../util/time.ts'
import type { Unlock } from '../keys/vault.ts'
import { setPassword } from './grant.ts'
import { hashPassword, verifyPassword } from './password.ts'

interface Change {
  user: User
  current: string
  wanted: string
}

/** Throws `invalid_param` for a new password that is not allowed. */
export function checkNewPassword({ current, wanted }: Pick<Change, 'current' | 'wanted'>) {
  const problem = Password.safeParse(wanted).error?.issues[0]?.message
  if (problem !== undefined) throw invalidParams({ new_password: problem })
  if (wanted.normalize('NFKC') === current.normalize('NFKC')) {
    throw invalidParams({ new_password: 'must be another one than the current password' })
  }
}

/** Changes the password and ends all sessions of the account. The caller rate-limits attempts at the current password. */
export async function changePassword(
  { db, vault }: { db: Db; vault: Unlock },
  { user, current, wanted }: Change,
  { now, requestId }: { now: UnixSeconds; requestId: string | undefined },
) {
  checkNewPassword({ current, wanted })
  const before = await findCredentials(db, user.login)
  const isRight = await verifyPassword(current, before?.passwordHash)
  const [keys, hash] = [await vault(), await hashPassword(wanted)]
  await write(db, `user:${user.id} sessions`, async (trx) => {
    // An admin may have changed it in the meantime.
    const stored = await findCredentials(trx, user.login)
    if (!isRight || stored?.user.id !== user.id || stored.passwordHash !== before?.passwordHash) throw wrongPassword()
    await setPassword(trx, keys, user.login, hash)
    await removeSessionsFor(trx, user.id)
    await recordAudit(trx, { at: now, user, action: 'user.change-password', subject: user.login, requestId })
  })
}

const wrongPassword = () => new ReltError('forbidden', 'The current password is wrong.')
