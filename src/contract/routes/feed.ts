import * as z from 'zod/mini'
import { FeedAddress, FeedInput } from '../feed.ts'
import { none, type Route, Success } from '../route.ts'
import { documented } from '../shape.ts'

const item = {
  ...{ feed_id: 'feed_0f9d7c528f6e4d0a', kind: 'changes', team: 'platform' },
  ...{ cluster_name: 'shop-prod', environment: 'prod', created_at: '2026-11-21 10:15:00', last_used: null },
  expires_at: null,
}
const path = '/feeds/Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE.atom'

export const feedRoutes = {
  listFeeds: {
    method: 'GET',
    path: '/feeds',
    summary: 'List addresses of feeds',
    access: 'user',
    params: none,
    query: none,
    answer: z.object({ success: z.literal(true), items: z.array(FeedAddress) }),
    components: { answer: 'FeedList' },
    example: { answer: { success: true, items: [item] } },
    extension: true,
  },
  /** Programs that read feeds cannot sign in, so the address itself is a secret. */
  createFeed: {
    method: 'POST',
    path: '/feeds',
    summary: 'Create the address of a feed',
    links: [{ parameter: 'feed_id', member: 'item/feed_id', to: ['revokeFeed'] }],
    access: 'user',
    role: 'viewer',
    params: none,
    query: none,
    body: FeedInput,
    /** `path` is below the root of the server; `url` is null where the server's address is not known. */
    answer: z.object({ success: z.literal(true), path: z.string(), url: z.nullable(z.string()), item: FeedAddress }),
    example: {
      body: { kind: 'changes', cluster_name: 'shop-prod', environment: 'prod' },
      answer: { success: true, path, url: `https://relt.example${path}`, item },
    },
    components: { body: 'FeedRequest', answer: 'FeedCreated' },
    audit: 'feed.create',
    extension: true,
  },
  revokeFeed: {
    method: 'DELETE',
    path: '/feeds/{feed_id}',
    summary: 'Revoke the address of a feed',
    access: 'user',
    params: z.object({ feed_id: documented(z.string(), { type: 'string', pattern: '^feed_[0-9a-f]{1,64}$' }) }),
    query: none,
    answer: Success,
    example: { params: { feed_id: item.feed_id }, answer: { success: true } },
    audit: 'feed.revoke',
    extension: true,
  },
} as const satisfies Record<string, Route>
