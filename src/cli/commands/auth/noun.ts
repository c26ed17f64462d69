import { noun } from '../../program/verb.ts'
import login from './login.ts'
import logout from './logout.ts'
import status from './status.ts'
import switchTo from './switch.ts'
import token from './token.ts'

export default noun({
  examples: ['relt auth login https://radar.example', 'relt auth status', 'relt auth switch local'],
  verbs: [login, logout, status, switchTo, token],
})
