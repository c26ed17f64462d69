import type { Example } from '../../route.ts'
import type { feedRoutes } from '../../routes/feed.ts'
import { at, success } from './shared.ts'

const item = {
  ...{ feed_id: 'feed_0f9d7c528f6e4d0a', kind: 'changes', team: 'platform' },
  ...{ cluster_name: 'shop-prod', environment: 'prod', created_at: at, last_used: null },
  expires_at: null,
}
const path = '/feeds/Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE.atom'

export const feedExamples: Record<keyof typeof feedRoutes, Example> = {
  listFeeds: { answer: { success: true, items: [item] } },
  createFeed: {
    body: { kind: 'changes', cluster_name: 'shop-prod', environment: 'prod' },
    answer: { success: true, path, url: `https://relt.example${path}`, item },
  },
  revokeFeed: { params: { feed_id: item.feed_id }, answer: success },
}
