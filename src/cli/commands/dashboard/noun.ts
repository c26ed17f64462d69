import { noun } from '../../program/verb.ts'
import activity from './activity.ts'
import logs from './logs.ts'
import show from './show.ts'

export default noun({
  examples: ['relt dashboard', 'relt dashboard activity --days 30'],
  verbs: [show, activity, logs],
  defaultVerb: show,
})
