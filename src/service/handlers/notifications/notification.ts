import type { RouteAnswer } from '../../../contract/routes.ts'
import { ensureCatalog } from '../../../operations/catalog/bundled.ts'
import { sendDigest, sendTest } from '../../../operations/notifications/notify.ts'
import { rotateSigningSecret } from '../../../operations/notifications/signing-secret.ts'
import { getSubscription } from '../../../store/notifications/subscription.ts'
import { timestampOrNull } from '../../../util/time.ts'
import { type CheckedRequest, change, type HandlerContext, type Handlers } from '../../handler.ts'

export const notificationHandlers: Handlers<'notification'> = {
  testNotification: test,
  sendTestNotification: test,

  async triggerDigest(context, { body, account }) {
    const { db, now } = context
    await ensureCatalog(db, now)
    return { success: true, ...(await sendDigest(context, { userId: account.id, now }, body.frequency)) }
  },

  async rotateWebhookSecret({ vault: unlock, now }, { body, account }) {
    const { subscription_id: subscriptionId = null } = body
    const vault = await unlock()
    return change(`user:${account.id} settings`, async (trx) => {
      if (subscriptionId !== null) await getSubscription(trx, account.id, subscriptionId)
      const owner = { userId: account.id, subscriptionId }
      const { secret, previousValidUntil } = await rotateSigningSecret(trx, vault, owner, now)
      const previous_valid_until = timestampOrNull(previousValidUntil)
      return { success: true, secret, previous_valid_until }
    })
  },
}

async function test(
  context: HandlerContext,
  { body, account }: CheckedRequest<'testNotification' | 'sendTestNotification'>,
): Promise<RouteAnswer<'testNotification'>> {
  const { subscription_id: subscriptionId, channel } = body
  const caller = { userId: account.id, now: context.now }
  return { success: true, results: await sendTest(context, caller, { subscriptionId, channel }) }
}
