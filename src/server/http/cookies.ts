import { serialize } from 'hono/utils/cookie'
import { browserSeconds } from '../../operations/accounts/known-caller.ts'
import type { HttpContext } from './state.ts'

const sessionCookie = 'relt_session'
/** One cookie per account that signed in with its password: the prefix is followed by the account id. */
const browserCookie = 'relt_browser_'

/** Further tokens are ignored, because each costs a hash. */
const maxTokens = 20

export function browserTokensFor(c: HttpContext) {
  return cookiesFor(c, (name) => name.startsWith(browserCookie)).slice(0, maxTokens)
}

/** A page on a sibling domain or another port can add cookies of the same name before the browser's own. */
export function sessionTokensFor(c: HttpContext) {
  return cookiesFor(c, (name) => name === sessionCookie).slice(0, maxTokens)
}

export function signInCookies(
  c: HttpContext,
  { token, expiresAt, browserToken }: { token: string; expiresAt: number; browserToken?: string },
  now: number,
) {
  const session = cookie(c, sessionCookie, token, expiresAt - now)
  if (browserToken === undefined) return [session]
  const userId = browserToken.slice(0, browserToken.indexOf('.'))
  return [session, cookie(c, browserCookie + userId, browserToken, browserSeconds)]
}

/** A cookie that ends the session in the browser. */
export const endedCookie = (c: HttpContext) => cookie(c, sessionCookie, '', 0)

/** With this prefix and TLS, browsers accept a cookie from this host only, not from a sibling domain. */
const toPrefix = (c: HttpContext): string => (c.get('state').secure ? '__Host-' : '')

/** `maxAge` in seconds. */
function cookie(c: HttpContext, name: string, value: string, maxAge: number) {
  const { secure } = c.get('state')
  return serialize(toPrefix(c) + name, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    maxAge: Math.max(0, maxAge),
  })
}

/** Values of all cookies whose name matches. */
function cookiesFor(c: HttpContext, fits: (name: string) => boolean) {
  const prefix = toPrefix(c)
  const pairs = (c.req.header('cookie') ?? '').split(';').map((pair) => pair.trim().split('='))
  return pairs.flatMap(([name = '', ...value]) =>
    name.startsWith(prefix) && fits(name.slice(prefix.length)) ? [value.join('=')] : [],
  )
}
