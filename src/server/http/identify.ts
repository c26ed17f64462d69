import { hash, timingSafeEqual } from 'node:crypto'
import { ReltError } from '../../errors.ts'
import { authenticate, findSession } from '../../operations/accounts/authenticate.ts'
import type { Service } from '../../service/service.ts'
import { sessionTokensFor } from './cookies.ts'
import type { FailedSignIns } from './failed-sign-ins.ts'
import type { Refusal } from './refusals.ts'
import type { HttpContext, RequestState } from './state.ts'

export interface SignIns {
  service: Service
  failures: FailedSignIns
  refuse: (state: RequestState, refusal: Refusal) => Promise<void>
}

/** Identifies the caller and stores it in the request state. Invalid credentials are rejected on every route. */
export async function identify(c: HttpContext, signIns: SignIns) {
  const authorization = c.req.header('authorization')?.trim()
  if (authorization) return identifyByKey(c, authorization, signIns)
  const tokens = sessionTokensFor(c)
  if (tokens.length > 0) await identifyBySession(c, tokens, signIns)
}

/** The key is looked up first: a valid one passes, whatever others at the address or with the login have failed. */
async function identifyByKey(c: HttpContext, authorization: string, signIns: SignIns) {
  const { service, failures, refuse } = signIns
  const state = c.get('state')
  state.triedWith = 'basic'
  const [username, password] = readBasic(authorization) ?? [undefined, bearer.exec(authorization)?.[1]]
  const isEmail = username?.includes('@') === true
  const isAsked = password !== undefined && !isEmail
  if (isAsked) {
    state.user = await authenticate(service, username, password, service.now())
      // An expired key is rejected, but does not count as a failure, because it is not a guess.
      .catch(async (error: unknown) => {
        const isExpired = error instanceof ReltError && error.code === 'unauthenticated'
        if (isExpired) await refuse(state, { kind: 'key', login: username })
        throw error
      })
  }
  if (state.user) return
  await refuse(state, { kind: 'key', login: username })
  failures.countKey({ address: state.address, login: username })
  throw new ReltError(
    'unauthenticated',
    isEmail
      ? 'Authentication is required: the username is the login name, not the email address.'
      : 'Authentication is required: the login name or the key is wrong, or the key was revoked or has expired.',
  )
}

const bearer = /^bearer +([\w -]{1,200})$/i

function readBasic(authorization: string): [string, string] | undefined {
  const encoded = /^basic +([\w+/-]{1,1400}={0,2})$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 1 ? undefined : [text.slice(0, colon), text.slice(colon + 1)]
}

/** Other sites can make a browser send its cookie, but not the nonce. */
async function identifyBySession(c: HttpContext, tokens: string[], { service }: SignIns) {
  const state = c.get('state')
  state.triedWith = 'session'
  for (const token of tokens) {
    const found = token.length <= 200 ? await findSession(service, token, service.now()) : undefined
    if (!found) continue
    state.session = { token, ...found }
    const nonce = c.req.header('x-wp-nonce') ?? c.req.query('_wpnonce')
    if (nonce !== undefined && isSame(nonce, found.nonce)) state.user = found.user
    return
  }
}

export function isSame(a: string, b: string) {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}
