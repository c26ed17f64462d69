import { noun } from '../../program/verb.ts'
import preview from './preview.ts'
import rehearse from './rehearse.ts'
import run from './run.ts'
import setSmtpPassword from './set-smtp-password.ts'

export default noun({
  examples: [
    'relt notify preview release.security --channel slack',
    'relt notify rehearse --days 30',
    'relt notify run --once',
  ],
  verbs: [rehearse, preview, run, setSmtpPassword],
})
