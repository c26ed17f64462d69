import * as z from 'zod/mini'
import { FeedAddress } from '../feed.ts'
import { Success, toRoutes } from '../route.ts'
import { documented, nullableText, success } from '../shape.ts'

export const feedRoutes = toRoutes({
  listFeeds: {
    method: 'GET',
    path: '/feeds',
    summary: 'List addresses of feeds of releases',
    access: 'user',
    answer: z.object({ ...success, items: z.array(FeedAddress) }),
    components: { answer: 'FeedList' },
    extension: true,
  },
  /** Feed readers cannot sign in, so the URL itself is a secret. */
  createFeed: {
    method: 'POST',
    path: '/feeds',
    summary: 'Create the address of a feed of releases',
    links: [{ parameter: 'feed_id', member: 'item/feed_id', to: ['revokeFeed'] }],
    access: 'user',
    role: 'viewer',
    /** `path` is relative to the root of the server; `url` is null if the server's address is unknown. */
    answer: z.object({ ...success, path: z.string(), url: nullableText, item: FeedAddress }),
    components: { answer: 'FeedCreated' },
    audit: 'feed.create',
    extension: true,
  },
  revokeFeed: {
    method: 'DELETE',
    path: '/feeds/{feed_id}',
    summary: 'Revoke the address of a feed',
    access: 'user',
    params: z.object({ feed_id: documented(z.string(), { type: 'string', pattern: '^feed_[0-9a-f]{1,64}$' }) }),
    answer: Success,
    audit: 'feed.revoke',
    extension: true,
  },
})
