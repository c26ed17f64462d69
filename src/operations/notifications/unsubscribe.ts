import { timingSafeEqual } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { findUserById } from '../../store/accounts/user.ts'
import { endMails, findMails, type MailScope } from '../../store/notifications/mail-consent.ts'
import type { UnixSeconds } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'

/**
 * The token in a mail's unsubscribe link ends exactly these mails without sign-in. It never expires, because old mails stay
 * in mailboxes, and grants nothing else.
 */
export function unsubscribeToken(vault: Vault, scope: MailScope) {
  const claim = toClaim(scope)
  return `${claim}.${toTag(vault, claim)}`
}

/** The mails that a token ends; undefined if this store did not issue it. */
export function readUnsubscribeToken(vault: Vault, token: string): MailScope | undefined {
  const [, claim, user, subscription, scope, tag] =
    /^((\d{1,15})\.(\d{1,15})\.(subscription|daily|weekly|clusters|fleet))\.([\w-]{43})$/.exec(token) ?? []
  if (claim === undefined || !timingSafeEqual(Buffer.from(tag!), Buffer.from(toTag(vault, claim)))) return undefined
  const userId = Number(user)
  if (scope === 'subscription') return { userId, scope, subscriptionId: Number(subscription) }
  return { userId, scope: scope as 'daily' | 'weekly' | 'clusters' | 'fleet' }
}

/** Describes the mails, such as `mails about Argo CD`; undefined if they have already ended. */
export async function describeMails(db: Db, scope: MailScope) {
  const mails = await findMails(db, scope)
  if (!mails) return undefined
  if (scope.scope === 'subscription') return `mails about ${mails.name}`
  if (scope.scope === 'fleet') return 'the weekly report of all clusters'
  return scope.scope === 'clusters' ? 'mails about clusters' : `the ${scope.scope} digest`
}

/** Idempotent. */
export async function unsubscribe(
  db: Db,
  scope: MailScope,
  { now, requestId }: { now: UnixSeconds; requestId: string | undefined },
) {
  await write(db, `user:${scope.userId} settings`, async (trx) => {
    if (!(await endMails(trx, scope))) return
    const user = await findUserById(trx, scope.userId)
    const subject = scope.scope === 'subscription' ? `subscription ${scope.subscriptionId}` : scope.scope
    await recordAudit(trx, { at: now, user, action: 'mail.unsubscribe', subject, requestId })
  })
}

const toClaim = (scope: MailScope) =>
  `${scope.userId}.${scope.scope === 'subscription' ? scope.subscriptionId : 0}.${scope.scope}`

const toTag = (vault: Vault, claim: string) => vault.keyedHash('unsubscribe', claim).toString('base64url')
