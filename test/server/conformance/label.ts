import type { Table } from './table.ts'
import { colour, id, list, required, words } from './values.ts'

type LabelRoute = 'listLabels' | 'createLabel' | 'updateLabel' | 'deleteLabel' | 'attachLabels' | 'detachLabel'

export const label = {
  id: 'integer',
  label_name: 'string',
  label_color: /^#[0-9a-f]{6}$/i,
  subscription_count: 'integer',
}
const success = { success: 'true' }
const fields = { label_name: required(words(100)), label_color: required(colour) }
const newFields = { label_name: 'new', label_color: '#000000' }

export const labelTable: Table<LabelRoute> = {
  listLabels: { good: () => ({}), answer: { labels: [label] } },
  createLabel: {
    good: async ({ db, ids }) => {
      await db.deleteFrom('label').where('id', '!=', ids.label).execute()
      return { body: newFields }
    },
    body: fields,
    answer: { success: 'true', label_id: 'integer' },
  },
  updateLabel: {
    good: async ({ makeLabel }) => ({ params: { id: await makeLabel() }, body: newFields }),
    body: fields,
    answer: success,
  },
  deleteLabel: { good: async ({ makeLabel }) => ({ params: { id: await makeLabel() } }), answer: success },
  attachLabels: {
    good: ({ ids }) => ({ params: { subscription_id: ids.subscription }, body: { label_ids: [ids.label] } }),
    body: { label_ids: required(list(100, 1)), 'label_ids.0': id },
    answer: success,
  },
  detachLabel: {
    good: async ({ ids, makeLabel, db }) => {
      const label_id = await makeLabel()
      await db.insertInto('subscription_label').values({ subscription_id: ids.subscription, label_id }).execute()
      return { params: { subscription_id: ids.subscription, label_id } }
    },
    answer: success,
  },
}
