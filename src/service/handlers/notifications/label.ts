import type { RoutesOf } from '../../../contract/nouns.ts'
import { write } from '../../../db/transaction.ts'
import { addLabel, changeLabel } from '../../../operations/notifications/manage-label.ts'
import { attachLabels, deleteLabel, detachLabel, listLabels } from '../../../store/notifications/label.ts'
import { getSubscription } from '../../../store/notifications/subscription.ts'
import type { Handlers } from '../../handler.ts'
import { toId } from './path-id.ts'

export const labelHandlers: Handlers<RoutesOf<'label'>> = {
  async listLabels({ db }, { account }) {
    return { labels: await listLabels(db, account.id) }
  },

  async createLabel({ db }, { body, account }) {
    return { success: true, label_id: await addLabel(db, account.id, body) }
  },

  async updateLabel({ db }, { params, body, account }) {
    await changeLabel(db, { userId: account.id, id: toId('label', params.id) }, body)
    return { success: true }
  },

  async deleteLabel({ db }, { params, account }) {
    await deleteLabel(db, account.id, toId('label', params.id))
    return { success: true }
  },

  async attachLabels({ db }, { params, body, account }) {
    const subscriptionId = toId('subscription', params.subscription_id)
    await write(db, `user:${account.id} labels`, async (trx) => {
      await getSubscription(trx, account.id, subscriptionId)
      await attachLabels(trx, { userId: account.id, subscriptionId }, body.label_ids)
    })
    return { success: true }
  },

  async detachLabel({ db }, { params, account }) {
    const subscriptionId = toId('subscription', params.subscription_id)
    await write(db, `user:${account.id} labels`, async (trx) => {
      await getSubscription(trx, account.id, subscriptionId)
      await detachLabel(trx, subscriptionId, toId('label', params.label_id))
    })
    return { success: true }
  },
}
