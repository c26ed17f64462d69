import type { RoutesOf } from '../../../contract/nouns.ts'
import { write } from '../../../db/transaction.ts'
import { addLabel, changeLabel } from '../../../operations/notifications/manage-label.ts'
import { attachLabels, deleteLabel, detachLabel, listLabels } from '../../../store/notifications/label.ts'
import { getSubscription } from '../../../store/notifications/subscription.ts'
import type { Handlers } from '../../handler.ts'
import { toId } from './path-id.ts'

export const labelHandlers: Handlers<RoutesOf<'label'>> = {
  async listLabels({ db }, { user }) {
    return { labels: await listLabels(db, user.id) }
  },

  async createLabel({ db }, { body, user }) {
    return { success: true, label_id: await addLabel(db, user.id, body) }
  },

  async updateLabel({ db }, { params, body, user }) {
    await changeLabel(db, { userId: user.id, id: toId('label', params.id) }, body)
    return { success: true }
  },

  async deleteLabel({ db }, { params, user }) {
    await deleteLabel(db, user.id, toId('label', params.id))
    return { success: true }
  },

  async attachLabels({ db }, { params, body, user }) {
    const subscriptionId = toId('subscription', params.subscription_id)
    await write(db, `user:${user.id} labels`, async (trx) => {
      await getSubscription(trx, user.id, subscriptionId)
      await attachLabels(trx, { userId: user.id, subscriptionId }, body.label_ids)
    })
    return { success: true }
  },

  async detachLabel({ db }, { params, user }) {
    const subscriptionId = toId('subscription', params.subscription_id)
    await write(db, `user:${user.id} labels`, async (trx) => {
      await getSubscription(trx, user.id, subscriptionId)
      await detachLabel(trx, subscriptionId, toId('label', params.label_id))
    })
    return { success: true }
  },
}
