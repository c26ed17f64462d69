import { channelNames } from '../../../src/contract/channels.ts'
import { deliveryStates } from '../../../src/contract/choices.ts'
import type { Table } from './table.ts'
import { inQuery } from './values.ts'

type DeliveryRoute = 'listDeliveries' | 'getDelivery' | 'retryDelivery'

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
}
