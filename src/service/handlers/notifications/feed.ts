import { createFeed } from '../../../operations/notifications/feed.ts'
import { listFeeds, removeFeed } from '../../../store/notifications/feed.ts'
import { change, type Handlers } from '../../handler.ts'

export const feedHandlers: Handlers<'feed'> = {
  async listFeeds({ db }, { user }) {
    return { success: true, items: await listFeeds(db, user.id) }
  },

  async createFeed({ vault, now }, { user, owner, server }) {
    const keys = await vault()
    return change('nothing', async (trx) => {
      const { path, item } = await createFeed(trx, keys, { by: user, ownerId: owner.id }, now)
      // Feeds are not below the API's base path, which has three segments; a proxy may serve both below another path.
      const url = server === undefined ? null : new URL(`../../..${path}`, `${server}/`).href
      return { success: true, path, url, item }
    })
  },

  async revokeFeed(_, { params, user }) {
    return change('nothing', async (trx) => {
      await removeFeed(trx, params.feed_id, user.id)
      return { success: true }
    })
  },
}
