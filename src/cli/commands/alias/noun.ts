import { noun } from '../../program/verb.ts'
import remove from './delete.ts'
import list from './list.ts'
import set from './set.ts'

export default noun({
  examples: ["relt alias set fresh 'reports freshness --explain'", 'relt alias list'],
  verbs: [set, list, remove],
})
