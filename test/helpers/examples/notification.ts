import type { RoutesOf } from '../../../src/contract/nouns.ts'
import { at, label, release, success } from './shared.ts'

const { version } = release

const delivery = {
  ...{ delivery_id: 'msg_2b7f0c9d4e1a65830f124c5d', created_at: at, kind: 'release', channel: 'slack' },
  ...{ target: 'https://hooks.slack.com/services/…', subscription_id: 12, product_id: 7, name: 'Argo CD', version },
  ...{ state: 'delivered', attempts: 1, http_status: 200, reason: null, next_attempt_at: null, finished_at: at },
} as const

const item = {
  feed_id: 'feed_0f9d7c528f6e4d0a',
  team: 'platform',
  created_at: at,
  last_used: null,
  expires_at: null,
}
const path = '/feeds/Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE.atom'

export const notificationExamples: Record<RoutesOf<'delivery' | 'feed' | 'label'>, { answer: object }> = {
  listDeliveries: {
    answer: { page: 1, per_page: 20, total: 1, total_pages: 1, items: [delivery], delivers_notifications: false },
  },
  getDelivery: {
    answer: { ...delivery, events: [{ event_id: 31, type: 'release.published', at }] },
  },
  retryDelivery: {
    answer: { success: true, ...delivery, state: 'pending', attempts: 0, next_attempt_at: at, finished_at: null },
  },
  listFeeds: { answer: { success: true, items: [item] } },
  createFeed: {
    answer: { success: true, path, url: `https://relt.example${path}`, item },
  },
  revokeFeed: { answer: success },
  listLabels: { answer: { labels: [label] } },
  createLabel: { answer: { success: true, label_id: 3 } },
  updateLabel: { answer: success },
  deleteLabel: { answer: success },
  attachLabels: { answer: success },
  detachLabel: { answer: success },
}
