import { noun } from '../../program/verb.ts'
import list from './list.ts'
import listen from './listen.ts'
import rotateSecret from './rotate-secret.ts'
import set from './set.ts'
import verify from './verify.ts'

export default noun({
  examples: ['relt webhooks set slack', 'relt webhooks rotate-secret'],
  verbs: [list, set, rotateSecret, verify, listen],
})
