import { noun } from '../../../program/verb.ts'
import run from './run.ts'

export default noun({
  name: 'retention',
  summary: 'Apply the RELT_RETENTION_DAYS settings',
  examples: ['relt admin retention run'],
  verbs: [run],
})
