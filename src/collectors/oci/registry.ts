import { setTimeout as wait } from 'node:timers/promises'
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

/** Sends requests to one repository. `path` is relative to it, or the URL of a next page. */
export interface RepositoryClient {
  host: string
  ask(path: string, asking: RequestOptions): Promise<HttpAnswer>
}

/** Sends requests to registries and gets the tokens for them. Lives for one sync. */
export class Registries {
  readonly #settings: RegistrySettings
  readonly #http: Http
  readonly #authorizations = new Map<string, Authorization>()
  /** Earlier challenges by registry, so that requests for its other repositories carry a token from the start. */
  readonly #challenges = new Map<string, Challenge>()
  readonly #first = new Map<string, Promise<HttpAnswer>>()
  /** Repositories whose token requests are being combined, by registry and credential. */
  readonly #gathering = new Map<string, { names: Set<string>; done: Promise<void> }>()

  constructor(settings: RegistrySettings, http: Http) {
    this.#settings = settings
    this.#http = http
  }

  in(repository: OciRepository): RepositoryClient {
    return { host: repository.host, ask: (path, asking) => this.#askInTurn(repository, path, asking) }
  }

  /** The first request to a host runs alone. */
  async #askInTurn(repository: OciRepository, path: string, asking: RequestOptions): Promise<HttpAnswer> {
    const first = this.#first.get(repository.host)
    if (first) {
      await first.catch(() => {})
      return this.#ask(repository, path, asking)
    }
    const answer = this.#ask(repository, path, asking)
    this.#first.set(repository.host, answer)
    return answer
  }

  async #ask(repository: OciRepository, path: string, asking: RequestOptions): Promise<HttpAnswer> {
    const base = this.#toBase(repository.host)
    const url = new URL(path, `${base.href.replace(/\/$/, '')}/v2/${repository.name}/`)
    const key = `${repository.host}/${repository.name}`
    const ask = () => {
      const authorization = url.origin === base.origin ? this.#authorizations.get(key) : undefined
      return this.#http.ask({ ...asking, url: url.href, ...authorization })
    }
    const early = this.#challenges.get(repository.host)
    if (early && !this.#authorizations.has(key)) await this.#authorizeTogether(repository, early, base)
    const answer = await ask()
    if (answer.kind !== 'denied' || answer.status !== 401 || url.origin !== base.origin) return answer
    const challenge = parseChallenge(answer.headers['www-authenticate'])
    if (!challenge) return answer
    const authorization = await this.#authorize(repository, challenge, base, [repository.name])
    if (authorization === undefined) return answer
    if ('kind' in authorization) return authorization
    this.#authorizations.set(key, authorization)
    const { scope: _, ...common } = challenge
    this.#challenges.set(repository.host, common)
    return ask()
  }

  /** Requests one token for several repositories. Without a token, requests are sent anonymously and get the challenge. */
  async #authorizeTogether(repository: OciRepository, challenge: Challenge, base: URL) {
    const { host, name, credential } = repository
    const group = JSON.stringify([host, credential])
    const open = this.#gathering.get(group)
    if (open && open.names.size < mostTogether) {
      open.names.add(name)
      return open.done
    }
    const names = new Set([name])
    const gather = async () => {
      await wait(gatheringMs)
      if (this.#gathering.get(group)?.names === names) this.#gathering.delete(group)
      const authorization = await this.#authorize(repository, challenge, base, [...names])
      if (authorization === undefined || 'kind' in authorization) return
      for (const one of names) this.#authorizations.set(`${host}/${one}`, authorization)
    }
    const done = gather()
    this.#gathering.set(group, { names, done })
    return done
  }

  async #authorize(
    repository: OciRepository,
    challenge: Challenge,
    base: URL,
    names: string[],
  ): Promise<Authorization | HttpAnswer | undefined> {
    const credential = await this.#credentialFor(repository, base)
    if (challenge.scheme === 'basic') {
      return credential && 'username' in credential
        ? { secretHeaders: authorization(credential.secret, credential.username) }
        : undefined
    }
    const realm = URL.parse(challenge.realm ?? '')
    if (!realm || !/^https?:$/.test(realm.protocol)) return undefined
    if (base.protocol === 'https:' && realm.protocol !== 'https:') return undefined
    realm.username = ''
    realm.password = ''
    const trusted = mayReceiveCredentials(realm, base) ? credential : undefined
    const answer = await this.#askToken(realm, trusted, {
      service: challenge.service,
      scopes: challenge.scope === undefined ? names.map((name) => `repository:${name}:pull`) : [challenge.scope],
    })
    if (answer.kind !== 'ok') return answer
    const { token, access_token } = parseJson(answer.body, TokenAnswer) ?? {}
    const given = token ?? access_token
    if (!given) return { kind: 'unreachable', reason: `${realm.host} gave no token` }
    const headers = { authorization: `Bearer ${given}` }
    return trusted ? { secretHeaders: headers } : { originHeaders: headers }
  }

  #askToken(
    realm: URL,
    credential: RegistryCredential | undefined,
    { service, scopes }: { service: string | undefined; scopes: string[] },
  ) {
    const asking = { types: ['application/json'], maxBytes: 256 * 1024 }
    if (credential && 'identityToken' in credential) {
      const form = {
        grant_type: 'refresh_token',
        client_id: 'relt',
        refresh_token: credential.identityToken,
        ...(service !== undefined && { service }),
        scope: scopes.join(' '),
      }
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const body = new URLSearchParams(form).toString()
      return this.#http.ask({ ...asking, url: realm.href, method: 'POST', headers, body })
    }
    if (service !== undefined) realm.searchParams.set('service', service)
    realm.searchParams.delete('scope')
    for (const scope of scopes) realm.searchParams.append('scope', scope)
    const secretHeaders = credential && authorization(credential.secret, credential.username)
    return this.#http.ask({ ...asking, url: realm.href, ...(secretHeaders && { secretHeaders }) })
  }

  /** A mirror does not receive the credentials of its origin. */
  async #credentialFor({ host, credential }: OciRepository, base: URL) {
    const { findCredential } = this.#settings
    if (this.#mirrorFor(host) !== undefined) return findCredential(base.host)
    return credential ?? findCredential(host)
  }

  #mirrorFor(host: string) {
    return Object.entries(this.#settings.mirrors ?? {}).find(([name]) => name === host)?.[1]
  }

  #toBase(host: string) {
    const mirror = this.#mirrorFor(host)
    if (mirror !== undefined) return new URL(mirror)
    if (host === 'docker.io') return new URL('https://registry-1.docker.io')
    const isOnThisMachine = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host)
    return new URL(`${isOnThisMachine ? 'http' : 'https'}://${host}`)
  }
}
