import * as z from 'zod/mini'
import { basis } from '../answer-coverage.ts'
import { conceal } from '../channels.ts'
import { RecentRelease } from '../project.ts'
import { nullableInt, success } from '../shape.ts'
import * as ours from '../subscription.ts'
import { listUnder, maybeSuccess, received } from './received.ts'

/** The fields of the reduced form. */
const ReceivedSubscription = concealed(received(ours.Subscription, ['product_id', 'name']))
export type ReceivedSubscription = z.infer<typeof ReceivedSubscription>

export const Subscriptions = z.object({
  ...maybeSuccess,
  subscriptions: z.array(ReceivedSubscription),
  subscription_count: z.int(),
})

const ReceivedFeedItem = received(ours.FeedItem, [
  'product_id',
  'name',
  'version',
  'published_at',
  'type',
  'has_security_fix',
])
export type ReceivedFeedItem = z.infer<typeof ReceivedFeedItem>
export const ReceivedFeed = received(z.object({ ...success, releases: z.array(ReceivedFeedItem), ...basis }), [
  'success',
  'releases',
])

/** Common fields of the compact and the full form. */
export const ReceivedDashboard = concealed(
  received(z.extend(ours.Dashboard, { ...maybeSuccess, subscriptions: z.array(ReceivedSubscription) }), [
    'subscription_count',
    'success',
  ]),
)
export type ReceivedDashboard = z.infer<typeof ReceivedDashboard>

const ActivityItem = received(RecentRelease, ['name', 'version'])
export const Activity = listUnder(
  ['releases', 'items', 'activity'],
  received(z.object({ ...maybeSuccess, days: z.int(), releases: z.array(ActivityItem), ...basis }), [
    'success',
    'releases',
  ]),
)

const ReceivedDeliveryLog = received(ours.DeliveryLog, [])
export const DeliveryLogs = listUnder(
  ['logs', 'items'],
  z.object({ ...maybeSuccess, logs: z.array(ReceivedDeliveryLog) }),
)

/** After unsubscribing there may be no id. */
export const Toggle = z.object({
  ...success,
  subscribed: z.boolean(),
  subscription_id: z.catch(z._default(nullableInt, null), null),
})

const ReceivedTestResult = received(ours.TestResult, [])
export type ReceivedTestResult = z.infer<typeof ReceivedTestResult>
export const Test = received(z.object({ ...maybeSuccess, results: z.array(ReceivedTestResult) }), ['success'])

export const ReceivedDigest = received(z.object({ ...maybeSuccess, sent: z.boolean(), releases: z.int() }), ['success'])

/** Converts webhooks to secrets. */
function concealed<T extends object>(shape: z.ZodMiniType<T>) {
  return z.pipe(
    shape,
    z.transform((thing: T) => conceal(thing)),
  )
}
