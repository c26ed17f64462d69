import { noun } from '../../program/verb.ts'
import list from './list.ts'
import open from './open.ts'
import popular from './popular.ts'
import recent from './recent.ts'
import releases from './releases.ts'
import search from './search.ts'
import show from './show.ts'

export default noun({
  examples: ['relt projects search argo', 'relt projects releases argo-cd --type helm'],
  verbs: [search, list, show, releases, popular, recent, open],
})
