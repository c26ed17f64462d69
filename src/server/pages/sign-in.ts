import { invalidParams, ReltError } from '../../errors.ts'
import { deleteSession } from '../../operations/accounts/authenticate.ts'
import { changePassword, checkNewPassword } from '../../operations/accounts/change-password.ts'
import { html } from '../../render/html/markup.ts'
import type { User } from '../../store/accounts/user.ts'
import { readForm } from '../http/body.ts'
import { endedCookie, signInCookies } from '../http/cookies.ts'
import type { SignIns } from '../http/identify.ts'
import { replyText } from '../http/reply.ts'
import { signIn } from '../http/session.ts'
import type { HttpContext } from '../http/state.ts'
import { confirming, safeNext } from './actions.ts'
import { replyPage, signInPath } from './reply-page.ts'

export const signOutPath = '/sign-out'
export const passwordPath = '/account/password'

export function redirect(c: HttpContext, to: string, cookies?: string[]) {
  const reply = { status: 303, type: 'text/plain; charset=utf-8', headers: { Location: to } }
  return replyText(c, '', { ...reply, ...(cookies && { cookies }) })
}

export function showSignIn(c: HttpContext) {
  const next = safeNext(c.req.query('next'))
  if (c.get('state').session) return redirect(c, next)
  return replyPage(c, { title: 'Sign in', body: form({ next }) })
}

export async function startSession(c: HttpContext, signIns: SignIns) {
  const { username = '', password = '', next: wanted } = await readForm(c)
  const next = safeNext(wanted)
  try {
    const session = await signIn(c, { username, password }, signIns, true)
    return await redirect(c, next, signInCookies(c, session, signIns.service.now()))
  } catch (error) {
    if (!(error instanceof ReltError) || error.code !== 'unauthenticated') throw error
    // Only the owner of a key may know that it has expired.
    const problem = error.hint ? error.message : 'The login name and the password or API key do not fit.'
    return replyPage(c, { title: 'Sign in', body: form({ next, username, problem }), status: 401 })
  }
}

export async function endSession(c: HttpContext, { service }: SignIns) {
  const { session } = c.get('state')
  if (session) await deleteSession(service, session.token)
  return redirect(c, signInPath, [endedCookie(c)])
}

/** Changes the password of the session's user, who enters the current one as at sign-in: wrong guesses count. */
export async function changeOwnPassword(
  c: HttpContext,
  { user, fields }: { user: User; fields: Record<string, string> },
  signIns: SignIns,
) {
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
  return redirect(c, confirming('/account', 'password-changed'), signInCookies(c, session, now))
}

function form({ next, username = '', problem }: { next: string; username?: string; problem?: string }) {
  return html`<h1>Sign in</h1>
${problem && html`<p class="bad" role="alert">${problem}</p>`}
<form class="sign-in" method="post" action="${signInPath}">
<label>Login name <input name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required${username === '' && html` autofocus`}></label>
<label>Password or API key <input type="password" name="password" autocomplete="current-password" required${username !== '' && html` autofocus`}></label>
<input type="hidden" name="next" value="${next}">
<button type="submit">Sign in</button>
</form>
<p class="note">Signing in with an API key gives you the key's permissions until it expires. An admin of the server sets passwords: <code class="command">relt admin users set-password LOGIN</code></p>`
}
