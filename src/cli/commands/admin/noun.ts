import { noun } from '../../program/verb.ts'
import adopt from './adopt.ts'
import audit from './audit.ts'
import backup from './backup.ts'
import keys from './keys/noun.ts'
import masterKey from './master-key/noun.ts'
import reindex from './reindex.ts'
import restore from './restore.ts'
import retention from './retention/noun.ts'
import store from './store/noun.ts'
import teams from './teams/noun.ts'
import users from './users/noun.ts'
import verify from './verify.ts'

export default noun({
  examples: [
    'relt admin users add ada --plan pro',
    'relt admin keys create ada --name "CI of the shop"',
    'relt admin audit --user ada',
  ],
  options: {
    '--data <folder>': 'data folder or postgres:// address of the store (default: RELT_HOME, or the platform default)',
  },
  epilog: 'These commands use the store on this machine. If a server is selected, add --local or --data.',
  verbs: [users, teams, adopt, keys, audit, retention, reindex, backup, restore, verify, store, masterKey],
})
