import { userInfo } from 'node:os'
import { ReltError } from '../errors.ts'

/** Home folder of the user. Throws `usage` if neither HOME nor the system has one, as for many users in containers. */
export function homeFolder(env: Record<string, string | undefined>, hint = 'Set HOME or RELT_HOME.') {
  if (env.HOME) return env.HOME
  try {
    return userInfo().homedir
  } catch (cause) {
    throw new ReltError('usage', 'Your home folder is unknown.', { hint, cause })
  }
}
