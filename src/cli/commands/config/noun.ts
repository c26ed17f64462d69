import { noun } from '../../program/verb.ts'
import get from './get.ts'
import list from './list.ts'
import path from './path.ts'
import set from './set.ts'

export default noun({
  examples: ['relt config list', 'relt config set output json', 'relt config set timeout ""'],
  verbs: [get, set, list, path],
})
