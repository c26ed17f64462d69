import { noun } from '../../program/verb.ts'
import create from './create.ts'
import list from './list.ts'
import revoke from './revoke.ts'
import rotate from './rotate.ts'

export default noun({
  examples: ['relt keys create "CI of the shop"', 'relt keys rotate "CI of the shop"'],
  verbs: [list, create, revoke, rotate],
})
