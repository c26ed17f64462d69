import { noun } from '../../../program/verb.ts'
import recoveryKit from './recovery-kit.ts'
import reencrypt from './reencrypt.ts'
import rotate from './rotate.ts'
import status from './status.ts'

export default noun({
  name: 'master-key',
  summary: 'Manage the master key and the data keys',
  examples: [
    'relt admin master-key status',
    'relt admin master-key rotate',
    'relt admin master-key recovery-kit --recipient age1…',
  ],
  verbs: [status, rotate, reencrypt, recoveryKit],
})
