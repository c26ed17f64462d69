import { setTimeout as wait } from 'node:timers/promises'
import { kept } from '../../util/remember.ts'
import type { HttpAnswer } from '../http/answer.ts'
import type { SourceRequest } from '../http/question.ts'
import type { Http } from '../http.ts'
import { authorization } from '../outcome.ts'
import { parseJson } from '../parse-json.ts'
import { type Challenge, mayReceiveCredentials, parseChallenge } from './challenge.ts'
import type { RegistryCredential } from './credential-helper.ts'
import type { FindCredential } from './docker-credentials.ts'
import { TokenAnswer } from './schema.ts'

export interface OciRepository {
  /** Host as in image references: `docker.io`. */
  host: string
  /** Repository name: `library/nginx`. */
  name: string
  /** Overrides Docker's credentials. */
  credential?: RegistryCredential | undefined
}

export interface RegistrySettings {
  findCredential: FindCredential
  /** Mirrors of registries, by host. */
  mirrors?: Record<string, string>
}

/** Time during which token requests are combined. */
const gatheringMs = 20
const mostTogether = 20

/** An anonymous token is not secret. */
type Authorization = Pick<SourceRequest, 'originHeaders' | 'secretHeaders'>

type RequestOptions = Pick<SourceRequest, 'method' | 'types' | 'state' | 'maxBytes'>

type Content = Extract<HttpAnswer, { kind: 'ok' }>

/** The registry gave an answer without content. */
export class RegistryFailure extends Error {
  readonly answer: Exclude<HttpAnswer, Content>

  constructor(answer: RegistryFailure['answer']) {
    super(answer.kind)
    this.answer = answer
  }
}

/** The answer of a `RegistryFailure`; throws any other error. */
export function answerIn(error: unknown) {
  if (error instanceof RegistryFailure) return error.answer
  throw error
}

/** The registry answered something else than what was requested. */
export function unreadable({ host }: RepositoryClient, what: string) {
  return new RegistryFailure({ kind: 'unreachable', reason: `${host} answered ${what}` })
}

/** Sends requests to one repository. `path` is relative to it, or the URL of a next page. Throws `RegistryFailure`. */
export interface RepositoryClient {
  host: string
  ask(path: string, options: RequestOptions): Promise<Content>
}

/** Sends requests to registries and gets the tokens for them. Lives for one sync. */
export class Registries {
  readonly #registryFor: (host: string) => ReturnType<typeof openRegistry>

  constructor(settings: RegistrySettings, http: Http) {
    this.#registryFor = kept((host) => openRegistry(host, settings, http))
  }

  in(repository: OciRepository): RepositoryClient {
    const { host } = repository
    const ask = this.#registryFor(host)
    return {
      host,
      async ask(path, options) {
        const answer = await ask(repository, path, options)
        if (answer.kind !== 'ok') throw new RegistryFailure(answer)
        return answer
      },
    }
  }
}

function openRegistry(host: string, { findCredential, mirrors = {} }: RegistrySettings, http: Http) {
  const mirror = mirrors[host]
  const base = new URL(mirror ?? toUrl(host))
  /** By repository. */
  const authorizations = new Map<string, Authorization>()
  /** An earlier challenge, so that requests for other repositories carry a token from the start. */
  let challenge: Challenge | undefined
  let first: Promise<HttpAnswer> | undefined
  /** Repositories whose token requests are being combined, by credential. */
  const gathering = new Map<string, { names: Set<string>; done: Promise<unknown> }>()
  return askInTurn

  /** The first request runs alone. */
  async function askInTurn(...request: Parameters<typeof ask>) {
    if (first) await first.catch(() => {})
    const answer = ask(...request)
    first ??= answer
    return answer
  }

  async function ask({ name, credential }: OciRepository, path: string, options: RequestOptions): Promise<HttpAnswer> {
    const url = new URL(path, `${base.href.replace(/\/$/, '')}/v2/${name}/`)
    const isOwn = url.origin === base.origin
    const send = () => http.ask({ ...options, url: url.href, ...(isOwn && authorizations.get(name)) })
    if (challenge && !authorizations.has(name)) await authorizeTogether(name, challenge, credential)
    const answer = await send()
    if (answer.kind !== 'denied' || answer.status !== 401 || !isOwn) return answer
    const asked = parseChallenge(answer.headers['www-authenticate'])
    const failure = asked && (await authorize([name], asked, credential))
    return failure ?? (authorizations.has(name) ? send() : answer)
  }

  /** Requests one token for several repositories. Without a token, requests are sent anonymously and get the challenge. */
  function authorizeTogether(name: string, challenge: Challenge, credential: OciRepository['credential']) {
    const group = JSON.stringify([credential])
    let open = gathering.get(group)
    if (!open || open.names.size === mostTogether) {
      const names = new Set<string>()
      const done = wait(gatheringMs).then(() => {
        gathering.delete(group)
        return authorize([...names], challenge, credential)
      })
      open = { names, done }
      gathering.set(group, open)
    }
    open.names.add(name)
    return open.done
  }

  /** Returns the answer of the token server if that gave no token. Without a usable credential, nothing changes. */
  async function authorize(
    names: string[],
    { scheme, realm = '', service, scope }: Challenge,
    own: OciRepository['credential'],
  ): Promise<HttpAnswer | undefined> {
    const allow = (given: Authorization) => {
      challenge = { scheme, realm, service }
      for (const name of names) authorizations.set(name, given)
    }
    // A mirror does not receive the credentials of its origin.
    const credential = mirror === undefined ? (own ?? (await findCredential(host))) : await findCredential(base.host)
    if (scheme === 'basic') {
      if (credential && 'username' in credential)
        allow({ secretHeaders: authorization(credential.secret, credential.username) })
      return undefined
    }
    const url = URL.parse(realm)
    if (!url || (base.protocol === 'https:' && url.protocol !== 'https:')) return undefined
    const trusted = mayReceiveCredentials(url, base) ? credential : undefined
    const scopes = scope === undefined ? names.map((name) => `repository:${name}:pull`) : [scope]
    const answer = await http.ask({
      types: ['application/json'],
      maxBytes: 256 * 1024,
      ...toTokenRequest(url, trusted, { service, scopes }),
    })
    if (answer.kind !== 'ok') return answer
    const { token, access_token } = parseJson(answer.body, TokenAnswer) ?? {}
    const given = token ?? access_token
    if (!given) return { kind: 'unreachable', reason: `${url.host} gave no token` }
    allow({ [trusted ? 'secretHeaders' : 'originHeaders']: authorization(given) })
    return undefined
  }
}

function toTokenRequest(
  realm: URL,
  credential: RegistryCredential | undefined,
  { service, scopes }: { service: string | undefined; scopes: string[] },
): Omit<SourceRequest, 'types'> {
  if (credential && 'identityToken' in credential) {
    const form = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'relt',
      refresh_token: credential.identityToken,
      ...(service !== undefined && { service }),
      scope: scopes.join(' '),
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return { url: realm.href, method: 'POST', headers, body: form.toString() }
  }
  if (service !== undefined) realm.searchParams.set('service', service)
  for (const scope of scopes) realm.searchParams.append('scope', scope)
  return { url: realm.href, secretHeaders: authorization(credential?.secret, credential?.username) }
}

function toUrl(host: string) {
  if (host === 'docker.io') return 'https://registry-1.docker.io'
  const isOnThisMachine = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host)
  return `${isOnThisMachine ? 'http' : 'https'}://${host}`
}
