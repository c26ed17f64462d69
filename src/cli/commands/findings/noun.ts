import { noun } from '../../program/verb.ts'
import list from './list.ts'
import paths from './paths.ts'
import show from './show.ts'
import split from './split.ts'
import top from './top.ts'

export default noun({
  examples: [
    'relt findings list --severity critical',
    'relt findings list --all --group-by check',
    'relt findings show 3f2a91c4d07e',
    'relt findings top',
    'relt findings split shop/app-migrate-42',
  ],
  verbs: [list, show, top, paths, split],
})
