import { invalidParams, ReltError } from '../../errors.ts'
import { changePassword, checkNewPassword } from '../../operations/accounts/change-password.ts'
import type { User } from '../../store/accounts/user.ts'
import { signInCookies } from '../http/cookies.ts'
import type { SignIns } from '../http/identify.ts'
import { signIn } from '../http/session.ts'
import type { HttpContext } from '../http/state.ts'
import { redirect } from './sign-in.ts'

export const passwordPath = '/account/password'

/** Of the user of the session, who states the current password as at a sign-in: guesses count. */
export async function changeOwnPassword(
  c: HttpContext,
  { user, fields }: { user: User; fields: Record<string, string> },
  signIns: SignIns,
): Promise<Response> {
  const { current_password: current = '', new_password: wanted = '', repeated_password: again, confirmed } = fields
  if (user.key) throw new ReltError('forbidden', 'A session of an API key cannot change the password.')
  checkNewPassword({ current, wanted })
  if (again !== wanted) throw invalidParams({ repeated_password: 'is not the new password' })
  if (confirmed !== 'yes') throw invalidParams({ confirmed: 'is required: all other sessions end' })
  const { service } = signIns
  const now = service.now()
  await signIn(c, { username: user.login, password: current }, signIns).catch((error) => {
    if (!(error instanceof ReltError) || error.code !== 'unauthenticated') throw error
    throw new ReltError('forbidden', 'The current password is wrong.')
  })
  await changePassword(service, { user, current, wanted }, { now, requestId: c.get('state').requestId })
  const session = await signIn(c, { username: user.login, password: wanted }, signIns)
  return redirect(c, `${passwordPath}?changed=1`, signInCookies(c, session, now))
}
