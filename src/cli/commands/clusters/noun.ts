import { noun } from '../../program/verb.ts'
import compare from './compare.ts'
import remove from './delete.ts'
import list from './list.ts'
import rename from './rename.ts'
import set from './set.ts'
import show from './show.ts'
import versions from './versions.ts'

export default noun({
  examples: ['relt clusters list --sort urgency', 'relt clusters versions argo-cd'],
  verbs: [list, show, compare, versions, rename, set, remove],
})
