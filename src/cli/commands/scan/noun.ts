import { noun } from '../../program/verb.ts'
import collect from './collect.ts'
import inventory from './inventory.ts'
import run from './run.ts'

export default noun({
  examples: ['relt scan run --profile prod --compare', 'relt scan inventory'],
  verbs: [run, collect, inventory],
})
