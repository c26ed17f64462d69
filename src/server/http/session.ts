import { invalidParams, missingParams, ReltError } from '../../errors.ts'
import { createKeySession, createSession, deleteSession } from '../../operations/accounts/authenticate.ts'
import { findKnownCaller } from '../../operations/accounts/known-caller.ts'
import { checkText } from '../../util/check-text.ts'
import { isObject } from '../../util/json.ts'
import { formatTimestamp } from '../../util/time.ts'
import { readJson } from './body.ts'
import { browserTokensFor, endedCookie, signInCookies } from './cookies.ts'
import type { SignIns } from './identify.ts'
import { replyJson } from './reply.ts'
import type { HttpContext } from './state.ts'

export async function startSession(c: HttpContext, signIns: SignIns) {
  const state = c.get('state')
  // Many sign-ins in one request would speed up guessing.
  if (state.inner) throw new ReltError('forbidden', 'A batch cannot sign in. Start the session before it.')
  const session = await signIn(c, await readJson(c), signIns)
  const { nonce, expiresAt } = session
  const body = { success: true, nonce, expires_at: formatTimestamp(expiresAt) }
  return replyJson(c, body, { cookies: signInCookies(c, session, signIns.service.now()) })
}

/**
 * Opens a session with the `username` and `password` of a body; the password may be an API key if these are accepted. Throws
 * `unauthenticated`, `rate_limited` or `busy`, and `forbidden` for a key that may not sign in.
 */
export async function signIn(
  c: HttpContext,
  body: unknown,
  { service, failures, refuse }: SignIns,
  acceptsKeys = false,
) {
  const state = c.get('state')
  state.triedWith = 'session'
  const { username, password } = readCredentials(body)
  const refusePassword = () => refuse(state, { kind: 'password', login: username })
  const { address } = state
  const now = service.now()
  const credentials = { username, password, address }
  // A valid key neither waits nor counts, whatever others have tried.
  const byKey = acceptsKeys && (await createKeySession(service, credentials, now))
  if (byKey) return byKey
  const known = await findKnownCaller(service, { login: username, address, browserTokens: browserTokensFor(c) }, now)
  const isLogin = !username.includes('@')
  const session = await failures
    .checkPassword({ address, login: username, known }, async () =>
      isLogin ? createSession(service, credentials, now) : undefined,
    )
    .catch(async (error) => {
      if (error instanceof ReltError && error.code === 'rate_limited') await refusePassword()
      throw error
    })
  if (!session) {
    await refusePassword()
    throw new ReltError('unauthenticated', 'Authentication is required: these credentials are not valid.')
  }
  return session
}

export async function showSession(c: HttpContext) {
  const { session } = c.get('state')
  if (!session) throw new ReltError('unauthenticated', 'Authentication is required: there is no session.')
  const { nonce, expiresAt, user } = session
  const { id, login, role, plan } = user
  return replyJson(c, { success: true, nonce, expires_at: formatTimestamp(expiresAt), user: { id, login, role, plan } })
}

export async function endSession(c: HttpContext, { service }: SignIns) {
  const { session, user, inner } = c.get('state')
  if (!session || !user) throw new ReltError('unauthenticated', 'Authentication is required: a session and its nonce.')
  if (inner !== 'dry') await deleteSession(service, session.token)
  return replyJson(c, { success: true }, { cookies: [endedCookie(c)] })
}

function readCredentials(body: unknown) {
  if (!isObject(body)) throw invalidParams({ body: 'must be an object' })
  checkText(body)
  const problems: Record<string, string> = {}
  for (const name of ['username', 'password']) {
    const value = body[name]
    if (value === undefined) problems[name] = 'is required'
    else if (typeof value !== 'string' || value.length > 1000) problems[name] = 'a text of up to 1000 characters'
  }
  if (Object.keys(problems).length > 0) {
    const missing = Object.values(problems).every((problem) => problem === 'is required')
    throw missing ? missingParams(problems) : invalidParams(problems)
  }
  return body as { username: string; password: string }
}
