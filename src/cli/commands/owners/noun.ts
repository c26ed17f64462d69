import { noun } from '../../program/verb.ts'
import list from './list.ts'
import set from './set.ts'

export default noun({
  examples: ['relt owners set owners.yaml', 'relt owners list', 'relt owners list --team platform'],
  verbs: [list, set],
})
