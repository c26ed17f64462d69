import { noun } from '../../program/verb.ts'
import attach from './attach.ts'
import create from './create.ts'
import remove from './delete.ts'
import detach from './detach.ts'
import edit from './edit.ts'
import list from './list.ts'

export default noun({
  examples: ['relt labels create edge --color 1f6feb', 'relt labels attach edge nginx istio'],
  verbs: [list, create, edit, remove, attach, detach],
})
