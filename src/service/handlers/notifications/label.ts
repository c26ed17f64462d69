import { write } from '../../../db/transaction.ts'
import { nameTaken, notFound, ReltError } from '../../../errors.ts'
import {
  attachLabels,
  deleteLabel,
  detachLabel,
  insertLabel,
  listLabels,
  updateLabel,
} from '../../../store/notifications/label.ts'
import { getSubscription } from '../../../store/notifications/subscription.ts'
import { type Handlers, toId } from '../../handler.ts'

export const labelHandlers: Handlers<'label'> = {
  async listLabels({ db }, { account }) {
    return { labels: await listLabels(db, account.id) }
  },

  async createLabel({ db }, { body, account }) {
    return write(db, `user:${account.id} labels`, async (trx) => {
      const others = await listLabels(trx, account.id)
      checkName(body.label_name, others)
      if (others.length >= maxLabels) throw new ReltError('forbidden', `The limit of ${maxLabels} labels is reached.`)
      return { success: true, label_id: await insertLabel(trx, account.id, body) }
    })
  },

  async updateLabel({ db }, { params, body, account }) {
    const id = toId('label', params.id)
    return write(db, `user:${account.id} labels`, async (trx) => {
      const labels = await listLabels(trx, account.id)
      const others = labels.filter((other) => other.id !== id)
      if (others.length === labels.length) throw notFound('label', id)
      checkName(body.label_name, others)
      await updateLabel(trx, id, body)
      return { success: true }
    })
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

const maxLabels = 100

/** Throws `conflict` if another label of the user has that name, ignoring case. */
function checkName(name: string, others: { id: number; label_name: string }[]) {
  const taken = others.find((other) => toKey(other.label_name) === toKey(name))
  if (taken) throw nameTaken('label', taken.label_name, taken.id)
}

const toKey = (name: string) => name.normalize('NFC').toLowerCase()
