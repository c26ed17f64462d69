import { noun } from '../../../program/verb.ts'
import add from './add.ts'
import disable from './disable.ts'
import enable from './enable.ts'
import list from './list.ts'
import remove from './remove.ts'
import setEmail from './set-email.ts'
import setPassword from './set-password.ts'
import setPlan from './set-plan.ts'
import setRole from './set-role.ts'
import show from './show.ts'

export default noun({
  name: 'users',
  summary: 'Manage users of a store',
  examples: ['relt admin users add ada --plan pro', 'relt admin users list'],
  verbs: [add, list, show, setPlan, setRole, setEmail, setPassword, disable, enable, remove],
})
