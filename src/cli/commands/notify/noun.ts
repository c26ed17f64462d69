import { noun } from '../../program/verb.ts'
import deliveries from './deliveries/noun.ts'
import preview from './preview.ts'
import rehearse from './rehearse.ts'
import send from './send.ts'
import set from './set.ts'
import setSmtpPassword from './set-smtp-password.ts'
import test from './test.ts'

export default noun({
  examples: [
    'relt notify test --channel slack',
    'relt notify rehearse --days 30',
    'relt notify send --once',
    'relt notify deliveries --state dead',
  ],
  verbs: [send, rehearse, preview, test, deliveries, set, setSmtpPassword],
})
