import { noun } from '../../program/verb.ts'
import check from './check.ts'
import drop from './drop.ts'
import list from './list.ts'
import send from './send.ts'

export default noun({
  examples: ['relt spool list', 'relt spool send'],
  verbs: [list, send, check, drop],
})
