import type { WebhookName } from '../../contract/channels.ts'
import type { Db } from '../../db/open.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import type { User } from '../../store/accounts/user.ts'
import { switchOn } from '../../store/notifications/delivery-target.ts'
import { setWebhooks, type WebhookChanges } from '../../store/notifications/webhook.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { makerFor } from '../accounts/maker.ts'

interface Change {
  /** Of the user, or of a team that the user acts for. */
  account: { id: number; team: string | null }
  user: User
  subscriptionId: number | null
  now: UnixSeconds
}

/** Sets or removes webhooks of an account or a subscription. A target that was switched off is on again with its new address. */
export async function changeTargets(
  trx: Db,
  { account, user, subscriptionId, now }: Change,
  changes: WebhookChanges,
): Promise<void> {
  await setWebhooks(trx, { userId: account.id, subscriptionId, madeBy: makerFor(user) }, changes)
  for (const [channel, webhook] of Object.entries(changes) as [WebhookName, WebhookChanges[WebhookName]][]) {
    const action = webhook ? 'target.set' : 'target.remove'
    const place = subscriptionId === null ? '' : ` of subscription ${subscriptionId}`
    const subject = `${channel}${place}${account.team === null ? '' : ` of team ${account.team}`}`
    await recordAudit(trx, { at: now, user, action, subject, requestId: undefined })
    if (webhook) await switchOn(trx, { userId: account.id, channel })
  }
}
