import * as z from 'zod/mini'
import { basis } from '../answer-coverage.ts'
import { RecentRelease } from '../project.ts'
import { none, Success, toRoutes } from '../route.ts'
import { flag, Id, IdIn, nullableTime, success, whole } from '../shape.ts'
import {
  AccountSettings,
  Dashboard,
  DeliveryLog,
  FeedItem,
  NotificationChannel,
  Subscription,
  SubscriptionSettings,
  TestResult,
} from '../subscription.ts'

const days = z._default(whole({ min: 1, max: 365 }), 7)

/** Extensions: day of the oldest facts about the projects in question, and what the answer covers. */
const notificationTest = {
  method: 'POST',
  access: 'user',
  account: 'member',
  params: none,
  query: none,
  body: z.object({ subscription_id: z.optional(IdIn), channel: z.optional(NotificationChannel) }),
  answer: z.object({ ...success, results: z.array(TestResult) }),
  received: async () => (await import('../received/subscription.ts')).Test,
} as const

export const subscriptionRoutes = toRoutes({
  getMySubscriptions: {
    method: 'GET',
    path: '/my-subscriptions',
    summary: 'List ids of the projects that you follow',
    components: { answer: 'SubscribedIds' },
    access: 'public',
    account: 'viewer',
    answer: z.object({ subscribed_ids: z.array(Id) }),
  },
  listSubscriptions: {
    method: 'GET',
    path: '/subscriptions',
    components: { answer: 'SubscriptionList' },
    access: 'user',
    account: 'viewer',
    answer: z.object({ ...success, subscriptions: z.array(Subscription), subscription_count: z.int() }),
    received: async () => (await import('../received/subscription.ts')).Subscriptions,
    secrets: true,
  },
  getFeed: {
    method: 'GET',
    path: '/feed',
    summary: 'List recent releases of the projects that you follow',
    components: { answer: 'Feed' },
    access: 'user',
    role: 'viewer',
    heavy: true,
    /** `mine` is an extension: releases newer than a running version in one of your clusters, subscribed or not. */
    query: z.object({ days, mine: z._default(flag, false) }),
    answer: z.object({ ...success, releases: z.array(FeedItem), ...basis }),
    received: async () => (await import('../received/subscription.ts')).ReceivedFeed,
  },
  getDashboard: {
    method: 'GET',
    path: '/dashboard',
    access: 'user',
    role: 'viewer',
    account: 'viewer',
    answer: Dashboard,
    received: async () => (await import('../received/subscription.ts')).ReceivedDashboard,
    secrets: true,
  },
  getDashboardActivity: {
    method: 'GET',
    path: '/dashboard-activity',
    components: { answer: 'Activity' },
    access: 'user',
    role: 'viewer',
    account: 'viewer',
    query: z.object({ days }),
    answer: z.object({ ...success, days: z.int(), releases: z.array(RecentRelease), ...basis }),
    received: async () => (await import('../received/subscription.ts')).Activity,
  },
  getDashboardLogs: {
    method: 'GET',
    path: '/dashboard-logs',
    components: { answer: 'DeliveryList' },
    access: 'user',
    account: 'viewer',
    query: z.object({ limit: z._default(whole({ min: 1, max: 100 }), 8) }),
    answer: z.object({ ...success, logs: z.array(DeliveryLog) }),
    received: async () => (await import('../received/subscription.ts')).DeliveryLogs,
  },
  toggleSubscription: {
    method: 'POST',
    path: '/toggle-sub',
    /** The catalog shows the number of a project's subscribers. */
    changesCatalog: true,
    summary: 'Subscribe to a project, or end the subscription',
    links: [{ parameter: 'subscription_id', member: 'subscription_id', to: ['attachLabels'] }],
    components: { body: 'SubscriptionToggle', answer: 'SubscriptionToggled' },
    access: 'user',
    account: 'member',
    body: z.object({ product_id: IdIn }),
    answer: z.object({ ...success, subscribed: z.boolean(), subscription_id: Id }),
    received: async () => (await import('../received/subscription.ts')).Toggle,
  },
  updateSettings: {
    method: 'POST',
    path: '/update-settings',
    access: 'user',
    account: 'member',
    body: SubscriptionSettings,
    answer: Success,
  },
  updateAccountSettings: {
    method: 'PUT',
    path: '/account/settings',
    access: 'user',
    account: 'member',
    body: AccountSettings,
    answer: Success,
    extension: true,
  },
  testNotification: {
    ...notificationTest,
    path: '/test-notification',
    components: { body: 'NotificationTest', answer: 'NotificationTestResults' },
  },
  sendTestNotification: {
    ...notificationTest,
    path: '/send-test-notification',
    summary: 'Test notification (older address)',
  },
  triggerDigest: {
    method: 'POST',
    path: '/trigger-digest-email',
    summary: 'Send the digest now',
    components: { body: 'DigestRequest', answer: 'DigestResult' },
    access: 'user',
    account: 'member',
    body: z.object({ frequency: z._default(z.enum(['daily', 'weekly']), 'daily') }),
    answer: z.object({ ...success, sent: z.boolean(), releases: z.int() }),
    received: async () => (await import('../received/subscription.ts')).ReceivedDigest,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/webhook-secret',
    summary: 'Replace the secret that signs the generic webhook',
    components: { body: 'WebhookSecretRequest', answer: 'WebhookSecret' },
    access: 'user',
    account: 'member',
    /** Without a subscription, rotates the secret of the account's webhook. */
    body: z.object({ subscription_id: z.optional(IdIn) }),
    /** Only this answer contains the secret. Null: there was no previous secret. */
    answer: z.object({
      ...success,
      secret: z.string(),
      previous_valid_until: nullableTime,
    }),
    audit: 'webhook.rotate-secret',
    extension: true,
  },
})
