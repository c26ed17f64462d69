import type { RoutesOf } from '../../contract/nouns.ts'
import type { RouteAnswer } from '../../contract/routes.ts'
import { ensureCatalog } from '../../operations/catalog.ts'
import { queueDigest, queueTest } from '../../operations/notify.ts'
import type { CheckedRequest, HandlerContext, Handlers } from '../handler.ts'

export const notificationHandlers: Handlers<RoutesOf<'notification'>> = {
  testNotification: test,
  sendTestNotification: test,

  async triggerDigest({ db, now }, { body, user }) {
    await ensureCatalog(db, now)
    const releases = await queueDigest(db, { userId: user.id, now }, body.frequency)
    return { success: true, sent: false, releases }
  },
}

async function test(
  context: HandlerContext,
  { body, user }: CheckedRequest<'testNotification' | 'sendTestNotification'>,
): Promise<RouteAnswer<'testNotification'>> {
  const { subscription_id: subscriptionId, channel } = body
  const caller = { userId: user.id, now: context.now }
  return { success: true, results: await queueTest(context, caller, { subscriptionId, channel }) }
}
