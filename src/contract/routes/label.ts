import * as z from 'zod/mini'
import { Label, LabelInput } from '../label.ts'
import { none, type Route, Success } from '../route.ts'
import { Id, IdIn, idInPath } from '../shape.ts'

const labelId = z.object({ id: idInPath })

export const labelRoutes = {
  listLabels: {
    method: 'GET',
    path: '/labels',
    components: { answer: 'LabelList' },
    access: 'pro',
    account: 'viewer',
    params: none,
    query: none,
    answer: z.object({ labels: z.array(Label) }),
  },
  createLabel: {
    method: 'POST',
    path: '/labels',
    conflicts: true,
    links: [{ parameter: 'id', member: 'label_id', to: ['updateLabel', 'deleteLabel'] }],
    components: { answer: 'LabelCreated' },
    access: 'pro',
    account: 'member',
    params: none,
    query: none,
    body: LabelInput,
    answer: z.object({ success: z.literal(true), label_id: Id }),
  },
  updateLabel: {
    method: 'PUT',
    path: '/labels/{id}',
    conflicts: true,
    access: 'pro',
    account: 'member',
    params: labelId,
    query: none,
    body: LabelInput,
    answer: Success,
  },
  deleteLabel: {
    method: 'DELETE',
    path: '/labels/{id}',
    access: 'pro',
    account: 'member',
    params: labelId,
    query: none,
    answer: Success,
  },
  attachLabels: {
    method: 'POST',
    path: '/subscriptions/{subscription_id}/labels',
    components: { body: 'LabelAttachment' },
    access: 'pro',
    account: 'member',
    params: z.object({ subscription_id: idInPath }),
    query: none,
    body: z.object({ label_ids: z.array(IdIn).check(z.maxLength(100)) }),
    answer: Success,
  },
  detachLabel: {
    method: 'DELETE',
    path: '/subscriptions/{subscription_id}/labels/{label_id}',
    access: 'pro',
    account: 'member',
    params: z.object({ subscription_id: idInPath, label_id: idInPath }),
    query: none,
    answer: Success,
  },
} as const satisfies Record<string, Route>
