import { noun } from '../../program/verb.ts'
import baseline from './baseline.ts'
import check from './check.ts'
import explain from './explain.ts'
import tryPolicy from './try.ts'
import vex from './vex.ts'

export default noun({
  examples: [
    'relt gate check --fail-on "new>=high"',
    'relt gate explain',
    'relt gate baseline --reason "The new ingress is accepted"',
    'relt gate vex > relt.openvex.json',
  ],
  verbs: [check, explain, tryPolicy, baseline, vex],
})
