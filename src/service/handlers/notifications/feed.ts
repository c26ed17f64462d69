import { ReltError } from '../../../errors.ts'
import { createFeed } from '../../../operations/notifications/feed.ts'
import { listFeeds, removeFeed } from '../../../store/notifications/feed.ts'
import { change, type Handlers } from '../../handler.ts'

export const feedHandlers: Handlers<'feed'> = {
  async listFeeds({ db }, { user }) {
    return { success: true, items: await listFeeds(db, user.id) }
  },

  async createFeed({ vault, plans, now }, { body, user, owner, server }) {
    const { kind, cluster_name: clusterName, environment } = body
    if (kind !== 'releases' && !plans[user.plan].proFeatures) {
      throw new ReltError('forbidden', 'Feeds about clusters require a Pro plan.')
    }
    const keys = await vault()
    return change('nothing', async (trx) => {
      const wanted = { kind, userId: user.id, ownerId: owner.id, clusterName, environment, by: user }
      const { path, item } = await createFeed(trx, keys, wanted, now)
      return { success: true, path, url: toAddress(path, server), item }
    })
  },

  async revokeFeed(_, { params, user }) {
    return change('nothing', async (trx) => {
      await removeFeed(trx, params.feed_id, user.id)
      return { success: true }
    })
  },
}

/** Feeds are not below the API's base path, which has three segments; a proxy may serve both below another path. */
const toAddress = (path: string, server: string | undefined): string | null =>
  server === undefined ? null : new URL(`../../..${path}`, `${server}/`).href
