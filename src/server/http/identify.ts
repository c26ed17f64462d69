import { hash, timingSafeEqual } from 'node:crypto'
import { getCookie } from 'hono/cookie'
import { ReltError } from '../../errors.ts'
import type { Service } from '../../services/service.ts'
import type { User } from '../../store/user.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { HttpContext } from './state.ts'

export const sessionCookie = 'relt_session'

/** Wrong tries of one address in a minute, before all its tries have to wait. */
export const failuresPerMinute = 10

export interface Accounts {
  authenticateBasic(service: Service, username: string, password: string, now: number): Promise<User | undefined>
  createSession(
    service: Service,
    username: string,
    password: string,
    now: number,
  ): Promise<{ token: string; nonce: string; expiresAt: number } | undefined>
  findSession(
    service: Service,
    token: string,
    now: number,
  ): Promise<{ user: User; nonce: string; expiresAt: number } | undefined>
  deleteSession(service: Service, token: string): Promise<void>
}

interface Identifying {
  service: Service
  accounts: Accounts
  failures: RateLimiter
  /** Milliseconds. */
  clock: () => number
}

/** Who calls, noted in the state. Credentials that are wrong are refused wherever they are sent. */
export async function identify(c: HttpContext, identifying: Identifying): Promise<void> {
  const authorization = c.req.header('authorization')?.trim()
  if (authorization) return identifyByKey(c, authorization, identifying)
  const token = getCookie(c, sessionCookie)
  if (token) await identifyBySession(c, token, identifying)
}

async function identifyByKey(c: HttpContext, authorization: string, { service, accounts, ...tries }: Identifying) {
  const state = c.get('state')
  state.triedWith = 'basic'
  const { failures, clock } = tries
  if (!failures.hasLeft(state.address, clock())) throw tooManyFailures()
  const [username, password] = readBasic(authorization) ?? []
  const isEmail = username?.includes('@') === true
  if (username !== undefined && password !== undefined && !isEmail) {
    state.user = await accounts.authenticateBasic(service, username, password, service.now())
  }
  if (state.user) return
  failures.take(state.address, clock())
  throw new ReltError(
    'unauthenticated',
    isEmail
      ? 'Authentication is required: the username is the login name, not the e-mail address.'
      : 'Authentication is required: these credentials are not valid.',
  )
}

function readBasic(authorization: string): [string, string] | undefined {
  const encoded = /^basic +([\w+/-]{1,1400}={0,2})$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 1 ? undefined : [text.slice(0, colon), text.slice(colon + 1)]
}

/** Other sites can make a browser send its cookie, but not the nonce. */
async function identifyBySession(c: HttpContext, token: string, { service, accounts }: Identifying) {
  const state = c.get('state')
  state.triedWith = 'session'
  const found = token.length <= 200 ? await accounts.findSession(service, token, service.now()) : undefined
  if (!found) return
  state.session = { token, ...found }
  const nonce = c.req.header('x-wp-nonce') ?? c.req.query('_wpnonce')
  if (nonce !== undefined && isSame(nonce, found.nonce)) state.user = found.user
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}

export function tooManyFailures(): ReltError {
  return new ReltError('rate_limited', 'Too many wrong credentials from your address. Wait a minute.')
}
