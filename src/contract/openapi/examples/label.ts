import type { Example } from '../../route.ts'
import type { labelRoutes } from '../../routes/label.ts'
import { label, success } from './shared.ts'

const labelInput = { label_name: 'prod', label_color: '#1f6feb' }

export const labelExamples: Record<keyof typeof labelRoutes, Example> = {
  listLabels: { answer: { labels: [label] } },
  createLabel: { body: labelInput, answer: { success: true, label_id: 3 } },
  updateLabel: { params: { id: 3 }, body: labelInput, answer: success },
  deleteLabel: { params: { id: 3 }, answer: success },
  attachLabels: { params: { subscription_id: 12 }, body: { label_ids: [3] }, answer: success },
  detachLabel: { params: { subscription_id: 12, label_id: 3 }, answer: success },
}
