import { noun } from '../../program/verb.ts'
import check from './check.ts'
import path from './path.ts'
import plan from './plan.ts'

export default noun({
  examples: [
    'relt upgrade plan --to 1.36',
    'relt upgrade check --kubernetes 1.33 --to 1.35 keda@2.18.3',
    'relt upgrade path argo-cd 2.14.1',
  ],
  verbs: [plan, check, path],
})
