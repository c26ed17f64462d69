import { noun } from '../../../program/verb.ts'
import copy from './copy.ts'

export default noun({
  name: 'store',
  summary: 'Copy whole stores',
  examples: ['relt admin store copy --from /var/lib/relt --to postgres://relt@db.example/relt'],
  verbs: [copy],
})
