import { noun } from '../../../program/verb.ts'
import drop from './drop.ts'
import list from './list.ts'
import replay from './replay.ts'
import retry from './retry.ts'
import show from './show.ts'

export default noun({
  name: 'deliveries',
  summary: 'List, retry and drop notifications',
  examples: ['relt notify deliveries list --state dead', 'relt notify deliveries replay --since 2d'],
  verbs: [list, show, retry, drop, replay],
  defaultVerb: list,
})
