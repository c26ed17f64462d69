import * as z from 'zod/mini'
import { Label, LabelInput } from '../label.ts'
import { Success, toRoutes } from '../route.ts'
import { Id, IdIn, idInPath, success } from '../shape.ts'

const labelId = z.object({ id: idInPath })

export const labelRoutes = toRoutes({
  listLabels: {
    method: 'GET',
    path: '/labels',
    components: { answer: 'LabelList' },
    account: 'viewer',
    answer: z.object({ labels: z.array(Label) }),
  },
  createLabel: {
    method: 'POST',
    path: '/labels',
    conflicts: true,
    links: [{ parameter: 'id', member: 'label_id', to: ['updateLabel', 'deleteLabel'] }],
    components: { answer: 'LabelCreated' },
    account: 'member',
    body: LabelInput,
    answer: z.object({ ...success, label_id: Id }),
  },
  updateLabel: {
    method: 'PUT',
    path: '/labels/{id}',
    conflicts: true,
    account: 'member',
    params: labelId,
    body: LabelInput,
    answer: Success,
  },
  deleteLabel: {
    method: 'DELETE',
    path: '/labels/{id}',
    account: 'member',
    params: labelId,
    answer: Success,
  },
  attachLabels: {
    method: 'POST',
    path: '/subscriptions/{subscription_id}/labels',
    components: { body: 'LabelAttachment' },
    account: 'member',
    params: z.object({ subscription_id: idInPath }),
    body: z.object({ label_ids: z.array(IdIn).check(z.maxLength(100)) }),
    answer: Success,
  },
  detachLabel: {
    method: 'DELETE',
    path: '/subscriptions/{subscription_id}/labels/{label_id}',
    account: 'member',
    params: z.object({ subscription_id: idInPath, label_id: idInPath }),
    answer: Success,
  },
})
