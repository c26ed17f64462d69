import { noun } from '../../../program/verb.ts'
import create from './create.ts'
import list from './list.ts'
import revoke from './revoke.ts'

export default noun({
  name: 'keys',
  summary: 'Manage API keys of any user',
  examples: ['relt admin keys create ada --name "CI of the shop"', 'relt admin keys list ada'],
  verbs: [create, list, revoke],
})
