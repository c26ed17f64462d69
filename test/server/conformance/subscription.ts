import { channelNames, eachWebhook } from '../../../src/contract/channels.ts'
import { severities, weekdays } from '../../../src/contract/choices.ts'
import { recentRelease, releaseType } from './catalog.ts'
import { label } from './label.ts'
import { basis, cluster } from './looked-at.ts'
import type { Table } from './table.ts'
import { boolean, choice, id, inQuery, orNull, otherThan, releaseTypes, required, webhook } from './values.ts'

type SubscriptionRoute =
  | 'getMySubscriptions'
  | 'listSubscriptions'
  | 'getFeed'
  | 'getDashboard'
  | 'getDashboardActivity'
  | 'getDashboardLogs'
  | 'toggleSubscription'
  | 'updateSettings'
  | 'updateAccountSettings'
  | 'testNotification'
  | 'sendTestNotification'
  | 'triggerDigest'
  | 'rotateWebhookSecret'

/** Extensions of an account, in bodies. */
const notificationSettings = {
  time_zone: { ok: ['UTC', 'Europe/Berlin', 'Pacific/Chatham'], bad: ['', 'Mars/Olympus', ...otherThan('text')] },
  digest_hour: { ok: [0, 23], bad: [-1, 24, 1.5, '8', ...otherThan('number')] },
  digest_weekday: choice(...weekdays),
  quiet_hours: {
    ok: ['', '22:00-07:00', '00:00-23:59'],
    bad: ['22-7', '24:00-07:00', '22:00', ...otherThan('text')],
  },
  quiet_hours_except: choice(...severities),
  min_severity: choice(...severities),
  only_what_runs: boolean,
  cluster_events: {
    ok: ['', 'cluster.silent', 'gate.failed,report.regressed'],
    bad: ['all', 'cluster.silent gate.failed', 'release.published', ...otherThan('text')],
  },
  cluster_scope: { ok: ['', 'prod-eu, label:prod'], bad: ['a\nb', 'x'.repeat(2001), ...otherThan('text')] },
  cluster_mails: boolean,
  owner_scope: { ok: ['', 'payments, web'], bad: ['a\nb', 'x'.repeat(2001), ...otherThan('text')] },
  fleet_report: { ok: ['off', 'weekly'], bad: ['daily', '', ...otherThan('text')] },
}

const subscription = {
  id: 'integer',
  user_id: 'integer',
  product_id: 'integer',
  webhook_url: 'string?',
  ...eachWebhook(() => 'string?'),
  email_enabled: 'boolean',
  email_frequency: 'per_app|daily|weekly',
  release_types_filter: /^(app|helm|pre)(,(app|helm|pre))*$/,
  webhook_release_types: /^(app|helm|pre)(,(app|helm|pre))*$/,
  use_global_webhooks: 'boolean',
  notifications_paused: 'boolean',
  created_at: 'timestamp',
  name: 'string',
  logo_url: 'string?',
  description: 'string',
  repo_url: 'string',
  latest_release: { id: 'integer', version: 'string', published_at: 'timestamp', has_security_fix: 'boolean' },
  labels: [label],
}

const feedItem = {
  product_id: 'integer',
  name: 'string',
  version: 'string',
  published_at: 'timestamp',
  type: releaseType,
  has_security_fix: 'boolean',
  // Beyond the contract.
  security_severity: 'none|low|medium|high|critical',
  'fixes?': ['string'],
}

const deliveryLog = {
  id: 'integer',
  created_at: 'timestamp',
  'kind?': 'test|digest|release|promotion|security|regressed|gate|silent|support|exception|target',
  channel: channelNames.join('|'),
  target: 'string',
  subscription_id: 'integer?',
  product_id: 'integer?',
  name: 'string?',
  version: 'string?',
  status: 'delivered|failed|pending|skipped',
  attempts: 'integer',
  http_status: 'integer?',
  error: 'string?',
}

const webhooks = eachWebhook(() => orNull(webhook))
const days = { days: inQuery.whole(1, 365) }
const success = { success: 'true' }

const notificationTest: Table<'testNotification'>['testNotification'] = {
  good: ({ ids }) => ({ body: { subscription_id: ids.subscription, channel: 'teams' } }),
  body: { subscription_id: id, channel: choice(...channelNames) },
  answer: {
    success: 'true',
    results: [{ channel: channelNames.join('|'), delivered: 'boolean', http_status: 'integer?', error: 'string?' }],
  },
}

export const subscriptionTable: Table<SubscriptionRoute> = {
  getMySubscriptions: { good: () => ({}), answer: { subscribed_ids: ['integer'] } },
  listSubscriptions: {
    good: () => ({}),
    answer: { success: 'true', subscriptions: [subscription], subscription_count: 'integer' },
  },
  getFeed: {
    good: () => ({}),
    query: { ...days, mine: inQuery.flag },
    answer: { success: 'true', releases: [feedItem], ...basis },
    more: [
      {
        call: () => ({ query: { mine: 'true' } }),
        answer: {
          success: 'true',
          releases: [
            {
              ...feedItem,
              release_id: 'integer',
              affects: { clusters: 'integer', workloads: 'integer', artifacts: 'integer', is_certain: 'boolean' },
            },
          ],
          ...basis,
          looked_at: {
            ...basis.looked_at,
            clusters: [{ ...cluster, known: 'integer' }],
            behind_older_fixes: 'integer',
          },
        },
      },
    ],
  },
  getDashboard: {
    good: () => ({}),
    answer: {
      success: 'true',
      plan: 'Free|Pro|Pro Plus',
      subscription_count: 'integer',
      limit: 'integer',
      subscriptions: [subscription],
      is_pro: 'boolean',
      subscription_limit: 'integer',
      user_email: 'string?',
      user_login: 'string',
      pms_status: 'string',
      pms_trial_end: 'timestamp?',
      pms_is_cancelled: 'boolean',
      ...eachWebhook(() => 'string?'),
      webhook_release_types: 'string',
      labels: [label],
      // Beyond the contract.
      time_zone: 'string',
      digest_hour: 'integer',
      digest_weekday: weekdays.join('|'),
      quiet_hours: 'string',
      quiet_hours_except: severities.join('|'),
      min_severity: severities.join('|'),
      only_what_runs: 'boolean',
      cluster_events: 'string',
      cluster_scope: 'string',
      cluster_mails: 'boolean',
      owner_scope: 'string',
      fleet_report: 'off|weekly',
      ...basis,
      looked_at: { ...basis.looked_at, clusters: [cluster] },
      delivers_notifications: 'boolean',
      'affected?': {
        clusters: 'integer',
        artifacts: 'integer',
        critical: 'integer',
        high: 'integer',
        known: 'integer',
        'coverage?': { artifacts: 'integer', advisories_known: 'integer', advisory_facts_at: 'string?' },
      },
    },
  },
  getDashboardActivity: {
    good: () => ({}),
    query: days,
    answer: { success: 'true', days: 'integer', releases: [recentRelease], ...basis },
  },
  getDashboardLogs: {
    good: () => ({}),
    query: { limit: inQuery.whole(1, 100) },
    answer: { success: 'true', logs: [deliveryLog] },
  },
  toggleSubscription: {
    good: () => ({ body: { product_id: 2 } }),
    body: { product_id: required(id) },
    answer: { success: 'true', subscribed: 'boolean', subscription_id: 'integer' },
  },
  updateSettings: {
    good: ({ ids }) => ({ body: { subscription_id: ids.subscription } }),
    body: {
      subscription_id: required(id),
      email_enabled: boolean,
      email_frequency: choice('per_app', 'daily', 'weekly'),
      release_types_filter: releaseTypes,
      webhook_release_types: releaseTypes,
      ...webhooks,
      webhook_url: orNull(webhook),
      use_global_webhooks: boolean,
      notifications_paused: boolean,
    },
    answer: success,
  },
  updateAccountSettings: {
    good: () => ({ body: {} }),
    body: {
      ...webhooks,
      webhook_release_types: releaseTypes,
      ...notificationSettings,
    },
    answer: success,
  },
  testNotification: notificationTest,
  sendTestNotification: notificationTest,
  triggerDigest: {
    good: () => ({ body: {} }),
    body: { frequency: choice('daily', 'weekly') },
    answer: { success: 'true', sent: 'boolean', releases: 'integer' },
  },
  rotateWebhookSecret: {
    good: () => ({ body: {} }),
    body: { subscription_id: id },
    answer: { success: 'true', secret: 'string', previous_valid_until: 'timestamp?' },
  },
}
