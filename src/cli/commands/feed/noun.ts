import { noun } from '../../program/verb.ts'
import list from './list.ts'
import publish from './publish.ts'
import revoke from './revoke.ts'
import show from './show.ts'

export default noun({
  examples: ['relt feed --days 30', 'relt feed publish releases', 'relt feed publish changes --cluster prod-eu'],
  verbs: [show, publish, list, revoke],
  defaultVerb: show,
})
