import { noun } from '../../program/verb.ts'
import add from './add.ts'
import list from './list.ts'
import pause from './pause.ts'
import remove from './remove.ts'
import resume from './resume.ts'
import set from './set.ts'

export default noun({
  examples: ['relt subs add argo-cd nginx', 'relt subs set argo-cd --email-frequency weekly'],
  verbs: [list, add, remove, set, pause, resume],
})
