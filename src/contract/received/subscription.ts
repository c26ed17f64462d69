import * as z from 'zod/mini'
import { basis } from '../answer-coverage.ts'
import { conceal } from '../channels.ts'
import { RecentRelease } from '../project.ts'
import * as ours from '../subscription.ts'
import { maybeSuccess } from './page.ts'
import { listUnder, received } from './received.ts'

/** The fields of the reduced form. */
const Subscription = concealed(received(ours.Subscription, ['product_id', 'name']))
export type Subscription = z.infer<typeof Subscription>

export const Subscriptions = z.object({
  ...maybeSuccess,
  subscriptions: z.array(Subscription),
  subscription_count: z.int(),
})

const FeedItem = received(ours.FeedItem, ['product_id', 'name', 'version', 'published_at', 'type', 'has_security_fix'])
export type FeedItem = z.infer<typeof FeedItem>
export const Feed = received(z.object({ success: z.literal(true), releases: z.array(FeedItem), ...basis }), [
  'success',
  'releases',
])

/** Common members of the compact and the full form. */
export const Dashboard = concealed(
  received(z.extend(ours.Dashboard, { ...maybeSuccess, subscriptions: z.array(Subscription) }), [
    'subscription_count',
    'success',
  ]),
)
export type Dashboard = z.infer<typeof Dashboard>

const ActivityItem = received(RecentRelease, ['name', 'version'])
export type ActivityItem = z.infer<typeof ActivityItem>
export const Activity = listUnder(
  ['releases', 'items', 'activity'],
  received(z.object({ ...maybeSuccess, days: z.int(), releases: z.array(ActivityItem), ...basis }), [
    'success',
    'releases',
  ]),
)

const DeliveryLog = received(ours.DeliveryLog, [])
export type DeliveryLog = z.infer<typeof DeliveryLog>
export const DeliveryLogs = listUnder(['logs', 'items'], z.object({ ...maybeSuccess, logs: z.array(DeliveryLog) }))

/** After unsubscribing there may be no id. */
export const Toggle = z.object({
  success: z.literal(true),
  subscribed: z.boolean(),
  subscription_id: z.catch(z._default(z.nullable(z.int()), null), null),
})

const TestResult = received(ours.TestResult, [])
export type TestResult = z.infer<typeof TestResult>
export const Test = received(z.object({ ...maybeSuccess, results: z.array(TestResult) }), ['success'])

export const Digest = received(z.object({ ...maybeSuccess, sent: z.boolean(), releases: z.int() }), ['success'])

/** Webhooks are secrets from here on. */
function concealed<T extends object>(shape: z.ZodMiniType<T>) {
  return z.pipe(
    shape,
    z.transform((thing: T) => conceal(thing)),
  )
}
