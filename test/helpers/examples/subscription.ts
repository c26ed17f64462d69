import { eachWebhook } from '../../../src/contract/channels.ts'
import type { subscriptionRoutes } from '../../../src/contract/routes/subscription.ts'
import { about, at, label, recentRelease, release, success } from './shared.ts'

const { version, type, published_at, has_security_fix } = release

const subscription = {
  ...{ id: 12, user_id: 1, product_id: 7 },
  ...{ webhook_url: null, ...eachWebhook(() => null), slack_webhook: 'https://hooks.slack.com/services/…' },
  ...{ email_enabled: true, email_frequency: 'daily' },
  ...{ release_types_filter: 'app,helm', webhook_release_types: 'app', use_global_webhooks: false },
  ...{ notifications_paused: false, created_at: at, name: 'Argo CD', logo_url: null },
  ...{ description: about.description, repo_url: about.repo_url, labels: [label] },
  latest_release: { id: 901, version, published_at, has_security_fix },
}
const lookedAt = { subscriptions: 1, projects: 1, security_known: 1 }
const testResult = { channel: 'slack', delivered: false, http_status: null, error: 'queued' }
const notificationTest = { body: { channel: 'slack' }, answer: { success: true, results: [testResult] } }

export const subscriptionExamples: Record<keyof typeof subscriptionRoutes, { answer: object }> = {
  getMySubscriptions: { answer: { subscribed_ids: [7] } },
  listSubscriptions: { answer: { success: true, subscriptions: [subscription], subscription_count: 1 } },
  getFeed: {
    answer: {
      success: true,
      releases: [{ product_id: 7, name: 'Argo CD', version, published_at, type, has_security_fix }],
      catalog_date: '2026-11-20',
      looked_at: lookedAt,
    },
  },
  getDashboard: {
    answer: {
      ...{ success: true, plan: 'Pro', limit: 50, subscriptions: [subscription], is_pro: true },
      ...{ subscription_count: 1, subscription_limit: 50, user_email: null, user_login: 'ada' },
      ...{ pms_status: 'active', pms_trial_end: null, pms_is_cancelled: false },
      ...{ ...eachWebhook(() => null), webhook_release_types: 'app' },
      ...{ labels: [label], catalog_date: '2026-11-20', looked_at: lookedAt, delivers_notifications: false },
    },
  },
  getDashboardActivity: { answer: { success: true, days: 7, releases: [recentRelease] } },
  getDashboardLogs: {
    answer: {
      success: true,
      logs: [
        {
          ...{ id: 5, created_at: at, kind: 'release', channel: 'slack', target: 'hooks.slack.com/…' },
          ...{ subscription_id: 12, product_id: 7, name: 'Argo CD', version, status: 'pending', attempts: 0 },
          ...{ http_status: null, error: null },
        },
      ],
    },
  },
  toggleSubscription: { answer: { success: true, subscribed: true, subscription_id: 12 } },
  updateSettings: {
    answer: success,
  },
  updateAccountSettings: { answer: success },
  testNotification: notificationTest,
  sendTestNotification: notificationTest,
  rotateWebhookSecret: {
    answer: { success: true, secret: 'whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH', previous_valid_until: at },
  },
  triggerDigest: { answer: { success: true, sent: false, releases: 4 } },
}
