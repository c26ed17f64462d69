import { noun } from '../../program/verb.ts'
import drop from './drop.ts'
import list from './list.ts'
import replay from './replay.ts'
import retry from './retry.ts'
import show from './show.ts'

export default noun({
  examples: ['relt deliveries list --state dead', 'relt deliveries replay --since 2d'],
  verbs: [list, show, retry, drop, replay],
})
