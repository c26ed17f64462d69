import { Readable, Writable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { readPlans } from '../../src/config/plans.ts'
import type { Plan } from '../../src/contract/subscription.ts'
import { issueKey } from '../../src/operations/accounts/api-key.ts'
import { addAccount, setPassword } from '../../src/operations/accounts/grant.ts'
import { hashPassword } from '../../src/operations/accounts/password.ts'
import { createHttpApp, type HttpOptions } from '../../src/server/http/app.ts'
import { basePath } from '../../src/server/http/base-path.ts'
import type { Service } from '../../src/service/service.ts'
import { type User, updateUser } from '../../src/store/accounts/user.ts'
import { createLogger } from '../../src/util/log.ts'
import type { openMemoryStore } from '../helpers/memory-store.ts'
import { openService } from '../operations/service.ts'

export interface Call {
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON; bytes and text go as they are. */
  body?: unknown
  /** The address in full; without it below the base path. */
  absolute?: boolean
  /** Address of the caller. */
  from?: string
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

/** The HTTP application on a store of its own with the bundled catalog, or on another; outside of a test, `whenDone` is told how to close it. */
export async function openHttp(
  options: Partial<HttpOptions> = {},
  whenDone?: (close: () => Promise<void>) => void,
  store: Parameters<typeof openMemoryStore>[0] = { catalog: true },
) {
  const { db, vault, clock } = await openService(':memory:', whenDone, store)
  const service: Service = {
    db,
    vault: async () => vault,
    plans: readPlans({ RELT_PLAN_LIMITS: 'interface' }),
    now: () => clock.now,
  }
  const log = new Lines()
  const http = createHttpApp(service, {
    rateLimits: { user: 0, address: 0 },
    logger: createLogger(log, 'info'),
    clock: () => clock.now * 1000,
    ...options,
  })
  const { app } = http

  async function call(path: string, { method, headers, body, absolute, from }: Call = {}): Promise<Answer> {
    const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    const init = {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: (raw ? body : JSON.stringify(body)) as string }),
    }
    const env = from === undefined ? {} : { incoming: incomingFrom(from, init.body) }
    if (from !== undefined && init.body) Object.assign(init.headers, { 'content-length': String(toSize(init.body)) })
    const response = await app.request(absolute ? path : basePath + path, init, env)
    const text = await response.text()
    const isJson = text !== '' && response.headers.get('content-type')?.includes('json')
    const packed = response.headers.has('content-encoding')
    return { status: response.status, headers: response.headers, body: isJson && !packed ? JSON.parse(text) : text }
  }

  /** A user with a key; the headers sign in. On a plan without keys they do so by a session. */
  async function signUp(login: string, more: { plan?: Plan; role?: User['role']; password?: string } = {}) {
    const { plan = 'pro', role = 'user', password = plan === 'free' ? 'correct horse battery' : undefined } = more
    const wanted = { login, email: null, role, plan: plan === 'free' ? 'pro' : plan } as const
    const user = await addAccount(db, wanted, { vault, now: clock.now })
    const key = (await issueKey(service, { userId: user.id, name: 'test' }, clock.now)).password
    if (plan === 'free') await updateUser(db, login, { plan })
    if (password) await setPassword(db, vault, login, await hashPassword(password))
    const keyHeaders: Record<string, string> = { authorization: basic(login, key) }
    const headers = plan === 'free' ? await openSession(login, password!) : keyHeaders
    return { user: { ...user, plan }, key, headers, keyHeaders }
  }

  async function openSession(username: string, password: string): Promise<Record<string, string>> {
    const { headers, body } = await call('/session', { body: { username, password } })
    return { cookie: headers.get('set-cookie')?.split(';')[0] ?? '', 'x-wp-nonce': body.nonce }
  }

  return { http, app, db, service, clock, log, call, signUp }
}

const toSize = (body: string | Uint8Array): number => Buffer.byteLength(body)

/** What the application reads of a socket's request. */
function incomingFrom(remoteAddress: string, body: string | undefined) {
  return Object.assign(Readable.from(body === undefined ? [] : [Buffer.from(body)]), {
    socket: { remoteAddress },
    headers: {},
  })
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

export const zipped = (value: unknown): Uint8Array => gzipSync(JSON.stringify(value))

/** Keeps what is written to it. */
export class Lines extends Writable {
  text = ''

  get entries(): Record<string, unknown>[] {
    return this.text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}
