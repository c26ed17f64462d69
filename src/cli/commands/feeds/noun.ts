import { noun } from '../../program/verb.ts'
import create from './create.ts'
import list from './list.ts'
import revoke from './revoke.ts'

export default noun({
  examples: ['relt feeds create releases', 'relt feeds create changes --cluster prod-eu'],
  verbs: [list, create, revoke],
})
