import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { newSigningSecret } from '../../notify/generic/standard/sign.ts'
import { webhookSealOwner } from '../../store/keys/sealed-piece.ts'
import { listSigningSecrets, replaceSigningSecret } from '../../store/notifications/signing-secret.ts'
import type { WebhookOwner } from '../../store/notifications/webhook.ts'
import { daySeconds, type UnixSeconds } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'

/** Grace period for receivers to switch to the new secret. */
const overlapSeconds = daySeconds

/** The secrets that sign an owner's generic webhook, newest first. Created at first use. */
export async function getSigningSecrets(db: Db, vault: Vault, owner: WebhookOwner, now: UnixSeconds) {
  const stored = await listSigningSecrets(db, owner, now)
  if (stored.length > 0) return stored.map((each) => openSecret(vault, owner, each))
  return write(db, `user:${owner.userId} settings`, async (trx) => {
    // Another sender may have created it in the meantime.
    const [existing] = await listSigningSecrets(trx, owner, now)
    if (existing) return [openSecret(vault, owner, existing)]
    const { secret } = await rotateSigningSecret(trx, vault, owner, now)
    return [secret]
  })
}

/** Creates a new signing secret, `whsec_…`. The previous one, if there is one, signs beside it for another day. */
export async function rotateSigningSecret(trx: Db, vault: Vault, owner: WebhookOwner, now: UnixSeconds) {
  const secret = newSigningSecret()
  const piece = vault.seal(webhookSealOwner(owner.userId), 'signing_secret', 0, Buffer.from(secret))
  const validUntil = now + overlapSeconds
  const { hasPrevious } = await replaceSigningSecret(trx, owner, piece, { now, validUntil })
  return { secret, previousValidUntil: hasPrevious ? validUntil : null }
}

function openSecret(vault: Vault, { userId }: WebhookOwner, stored: Parameters<typeof replaceSigningSecret>[2]) {
  return vault.open(webhookSealOwner(userId), { kind: 'signing_secret', part: 0, ...stored }).toString('utf8')
}
