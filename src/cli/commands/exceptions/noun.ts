import { noun } from '../../program/verb.ts'
import add from './add.ts'
import expire from './expire.ts'
import exportAll from './export.ts'
import list from './list.ts'
import show from './show.ts'

export default noun({
  examples: [
    'relt exceptions add 3f2a91c4d07e --reason "Accepted by security" --until 90d',
    'relt exceptions list --expiring 14d',
  ],
  verbs: [add, list, show, expire, exportAll],
})
