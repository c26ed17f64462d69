import { noun } from '../../program/verb.ts'
import add from './add.ts'
import list from './list.ts'
import members from './members.ts'
import remove from './remove.ts'
import set from './set.ts'
import setRole from './set-role.ts'
import show from './show.ts'
import subs from './subs.ts'

export default noun({
  examples: [
    'relt teams list',
    'relt teams members',
    'relt teams subs',
    'relt teams set --slack-webhook',
    'relt teams add grace --role member',
  ],
  verbs: [list, show, members, subs, set, add, setRole, remove],
})
