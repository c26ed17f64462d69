import { noun } from '../../program/verb.ts'
import acceptScope from './accept-scope.ts'
import check from './check.ts'
import explain from './explain.ts'
import tryPolicy from './try.ts'
import vex from './vex.ts'

export default noun({
  examples: [
    'relt gate check --fail-on "new>=high"',
    'relt gate explain',
    'relt gate accept-scope --reason "KubeBuddy 2.1 renamed SEC003"',
    'relt gate vex > relt.openvex.json',
  ],
  verbs: [check, explain, tryPolicy, acceptScope, vex],
})
