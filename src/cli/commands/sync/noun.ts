import { noun } from '../../program/verb.ts'
import both from './both.ts'
import pull from './pull.ts'
import push from './push.ts'

export default noun({
  examples: [
    'relt sync pull --with https://radar.example --dry-run',
    'relt sync push --with https://radar.example',
    'relt sync both --with https://radar.example --clusters prod-eu,prod-us',
    'relt sync pull --with https://old.example --team platform --with-team platform',
  ],
  verbs: [pull, push, both],
})
