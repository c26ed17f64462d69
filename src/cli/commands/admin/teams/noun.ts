import { noun } from '../../../program/verb.ts'
import addMember from './add-member.ts'
import create from './create.ts'
import deleteTeam from './delete.ts'
import list from './list.ts'
import removeMember from './remove-member.ts'
import rename from './rename.ts'
import setEmail from './set-email.ts'
import setRole from './set-role.ts'
import show from './show.ts'

export default noun({
  name: 'teams',
  summary: 'Manage teams, which share clusters and scan profiles',
  examples: [
    'relt admin teams create platform --owner ada',
    'relt admin teams add-member platform grace --role viewer',
  ],
  verbs: [create, list, show, addMember, removeMember, setRole, setEmail, rename, deleteTeam],
})
