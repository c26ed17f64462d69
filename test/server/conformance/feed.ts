import type { Table } from './table.ts'
import { inQuery } from './values.ts'

const feed = {
  feed_id: /^feed_[0-9a-f]{16}$/,
  team: 'string?',
  created_at: 'timestamp',
  last_used: 'timestamp?',
  expires_at: 'timestamp?',
}

/** All of it is beyond the contract. */
export const feedTable: Table<'listFeeds' | 'createFeed' | 'revokeFeed'> = {
  listFeeds: {
    good: async ({ makeFeed }) => {
      await makeFeed()
      return {}
    },
    answer: { success: 'true', items: [feed] },
  },
  createFeed: {
    good: () => ({}),
    answer: { success: 'true', path: /^\/feeds\/[\w-]{43}\.atom$/, url: 'string?', item: feed },
  },
  revokeFeed: {
    good: async ({ makeFeed }) => ({ params: { feed_id: await makeFeed() } }),
    answer: { success: 'true' },
  },
}

export const auditTable: Table<'listAudit'> = {
  listAudit: {
    good: () => ({}),
    query: {
      login: inQuery.line(100),
      page: inQuery.whole(1, 1_000_000),
      per_page: inQuery.whole(1, 100),
    },
    answer: {
      ...{ page: 'integer', per_page: 'integer', total: 'integer', total_pages: 'integer' },
      items: [
        {
          ...{ id: 'integer', at: 'timestamp', user_id: 'integer?', login: 'string?', action: 'string' },
          ...{ subject: 'string?', request_id: 'string?' },
        },
      ],
    },
  },
}
