import { channelNames } from '../../../src/contract/channels.ts'
import { deliveryStates } from '../../../src/contract/choices.ts'
import { notificationSettings } from './subscription.ts'
import type { Table } from './table.ts'
import { boolean, choice, inQuery, otherThan, releaseTypes, required } from './values.ts'

type DeliveryRoute =
  | 'listDeliveries'
  | 'getDelivery'
  | 'retryDelivery'
  | 'dropDelivery'
  | 'replayDeliveries'
  | 'rehearseNotifications'

const kinds = 'test|digest|release|promotion|security|regressed|gate|silent|support|exception|target'

const delivery = {
  delivery_id: /^msg_[0-9a-f]{24}$/,
  created_at: 'timestamp',
  kind: kinds,
  channel: channelNames.join('|'),
  target: 'string',
  subscription_id: 'integer?',
  product_id: 'integer?',
  name: 'string?',
  version: 'string?',
  state: deliveryStates.join('|'),
  attempts: 'integer',
  http_status: 'integer?',
  reason: 'string?',
  next_attempt_at: 'timestamp?',
  finished_at: 'timestamp?',
}

const trySettings = {
  ...notificationSettings,
  email_enabled: boolean,
  email_frequency: choice('per_app', 'daily', 'weekly'),
  release_types_filter: releaseTypes,
  webhook_release_types: releaseTypes,
  subscription_release_types: releaseTypes,
}

const whole = (min: number, max: number) => ({
  ok: [min, max],
  bad: [min - 1, max + 1, 1.5, String(min), ...otherThan('number')],
})

export const deliveryTable: Table<DeliveryRoute> = {
  listDeliveries: {
    good: () => ({}),
    query: {
      page: inQuery.whole(1, 1_000_000),
      per_page: inQuery.whole(1, 100),
      state: inQuery.choice(...deliveryStates),
      channel: inQuery.choice(...channelNames),
    },
    answer: {
      page: 'integer',
      per_page: 'integer',
      total: 'integer',
      total_pages: 'integer',
      items: [delivery],
      delivers_notifications: 'boolean',
    },
  },
  getDelivery: {
    good: async ({ makeDelivery }) => ({ params: { delivery_id: await makeDelivery() } }),
    answer: { ...delivery, events: [{ event_id: 'integer', type: 'string', at: 'timestamp' }] },
  },
  retryDelivery: {
    good: async ({ makeDelivery }) => ({ params: { delivery_id: await makeDelivery() } }),
    answer: { success: 'true', ...delivery },
  },
  dropDelivery: {
    good: async ({ makeDelivery }) => ({ params: { delivery_id: await makeDelivery() } }),
    answer: { success: 'true', ...delivery },
  },
  replayDeliveries: {
    good: () => ({ body: { since: '2026-08-31' } }),
    body: {
      since: required({
        ok: ['2026-08-31', '2026-08-31 10:00:00'],
        bad: ['', 'yesterday', '2d', ...otherThan('text')],
      }),
      channel: choice(...channelNames),
    },
    answer: { success: 'true', deliveries: 'integer' },
  },
  rehearseNotifications: {
    // Each message that tells of a regression compares two runs again.
    good: () => ({ body: { days: 30, limit: 2 } }),
    body: {
      days: whole(1, 365),
      channel: choice(...channelNames),
      limit: whole(0, 100),
      settings: { ok: [{}, { only_what_runs: true }], bad: otherThan('object') },
      ...Object.fromEntries(Object.entries(trySettings).map(([name, values]) => [`settings.${name}`, values])),
    },
    answer: {
      success: 'true',
      from: 'timestamp',
      to: 'timestamp',
      events: 'integer',
      events_since: 'timestamp?',
      replayed: 'integer',
      total: 'integer',
      per_day: [{ day: 'string', messages: 'integer' }],
      by_channel: [{ channel: channelNames.join('|'), messages: 'integer' }],
      messages: [
        {
          due_at: 'timestamp',
          channel: channelNames.join('|'),
          kind: kinds,
          name: 'string?',
          version: 'string?',
          events: 'integer',
          subject: 'string?',
          content_type: 'string',
          body: 'string',
        },
      ],
    },
  },
}
