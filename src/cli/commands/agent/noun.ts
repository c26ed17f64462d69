import { noun } from '../../program/verb.ts'
import check from './check.ts'
import history from './history.ts'
import install from './install.ts'
import list from './list.ts'
import manifests from './manifests.ts'
import next from './next.ts'
import pause from './pause.ts'
import resume from './resume.ts'
import run from './run.ts'
import status from './status.ts'
import trigger from './trigger.ts'
import uninstall from './uninstall.ts'

export default noun({
  examples: ['relt agent check', 'relt agent next', 'relt agent run', 'relt agent history'],
  verbs: [run, check, status, next, history, trigger, pause, resume, list, install, uninstall, manifests],
})
