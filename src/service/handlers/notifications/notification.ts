import type { RoutesOf } from '../../../contract/nouns.ts'
import type { RouteAnswer } from '../../../contract/routes.ts'
import { ensureCatalog } from '../../../operations/catalog/bundled.ts'
import { sendDigest, sendTest } from '../../../operations/notifications/notify.ts'
import { rotateSigningSecret } from '../../../operations/notifications/signing-secret.ts'
import { getSubscription } from '../../../store/notifications/subscription.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { type CheckedRequest, change, type HandlerContext, type Handlers } from '../../handler.ts'

export const notificationHandlers: Handlers<RoutesOf<'notification'>> = {
  testNotification: test,
  sendTestNotification: test,

  async triggerDigest(context, { body, user }) {
    const { db, now } = context
    await ensureCatalog(db, now)
    return { success: true, ...(await sendDigest(context, { userId: user.id, now }, body.frequency)) }
  },

  async rotateWebhookSecret({ vault: unlock, now }, { body, user }) {
    const { subscription_id: subscriptionId = null } = body
    const vault = await unlock()
    return change(`user:${user.id} settings`, async (trx) => {
      if (subscriptionId !== null) await getSubscription(trx, user.id, subscriptionId)
      const owner = { userId: user.id, subscriptionId }
      const { secret, previousValidUntil } = await rotateSigningSecret(trx, vault, owner, now)
      const previous_valid_until = previousValidUntil === null ? null : formatTimestamp(previousValidUntil)
      return { success: true, secret, previous_valid_until }
    })
  },
}

async function test(
  context: HandlerContext,
  { body, user }: CheckedRequest<'testNotification' | 'sendTestNotification'>,
): Promise<RouteAnswer<'testNotification'>> {
  const { subscription_id: subscriptionId, channel } = body
  const caller = { userId: user.id, now: context.now }
  return { success: true, results: await sendTest(context, caller, { subscriptionId, channel }) }
}
