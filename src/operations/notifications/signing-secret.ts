import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { newSigningSecret } from '../../notify/generic/standard/sign.ts'
import { webhookSealOwner } from '../../store/keys/sealed-piece.ts'
import { listSigningSecrets, replaceSigningSecret } from '../../store/notifications/signing-secret.ts'
import type { WebhookOwner } from '../../store/notifications/webhook.ts'
import { daySeconds, type UnixSeconds } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'

/** How long a receiver may take to learn the new secret. */
const overlapSeconds = daySeconds

/** The secrets that sign the generic webhook of an owner, the newest first. The first use makes one. */
export async function getSigningSecrets(
  db: Db,
  vault: Vault,
  owner: WebhookOwner,
  now: UnixSeconds,
): Promise<string[]> {
  const stored = await listSigningSecrets(db, owner, now)
  if (stored.length > 0) return stored.map((each) => openSecret(vault, owner, each))
  return write(db, `user:${owner.userId} settings`, async (trx) => {
    // Another sender may have made it meanwhile.
    const [existing] = await listSigningSecrets(trx, owner, now)
    if (existing) return [openSecret(vault, owner, existing)]
    const { secret } = await rotateSigningSecret(trx, vault, owner, now)
    return [secret]
  })
}

export interface RotatedSecret {
  /** `whsec_…`. */
  secret: string
  /** The end of the previous secret; null when there was none. */
  previousValidUntil: UnixSeconds | null
}

/** A new secret signs from now on, and the previous one for a day beside it. */
export async function rotateSigningSecret(
  trx: Db,
  vault: Vault,
  owner: WebhookOwner,
  now: UnixSeconds,
): Promise<RotatedSecret> {
  const secret = newSigningSecret()
  const piece = vault.seal(webhookSealOwner(owner.userId), 'signing_secret', 0, Buffer.from(secret))
  const validUntil = now + overlapSeconds
  const { hasPrevious } = await replaceSigningSecret(trx, owner, piece, { now, validUntil })
  return { secret, previousValidUntil: hasPrevious ? validUntil : null }
}

function openSecret(
  vault: Vault,
  { userId }: WebhookOwner,
  stored: Parameters<typeof replaceSigningSecret>[2],
): string {
  return vault.open(webhookSealOwner(userId), { kind: 'signing_secret', part: 0, ...stored }).toString('utf8')
}
