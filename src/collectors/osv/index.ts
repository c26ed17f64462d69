import * as z from 'zod/mini'
import type { Advisory } from '../../security/security-of.ts'
import type { Http } from '../http.ts'
import { parseJson } from '../parse-json.ts'
import { advisoryOf, Vulnerability } from './vulnerability.ts'

export interface OsvSettings {
  http: Http
  /** `https://api.osv.dev` or a mirror of it. */
  baseUrl: string
}

export type OsvOutcome<T> =
  | { kind: 'found'; value: T }
  | { kind: 'absent' }
  | { kind: 'unreachable'; reason: string }
  /** Unix seconds. */
  | { kind: 'limited'; retryAt: number }

/** An exact version of a package, as OSV names its ecosystems. */
export interface PackageVersion {
  ecosystem: string
  name: string
  version: string
}

const types = ['application/json']
const maxBytes = 8 * 1024 * 1024
/** What one sync may remember; what was asked first goes first. */
const mostRemembered = 2000
const mostPages = 20

const Page = z.object({
  vulns: z._default(z.array(Vulnerability), []),
  next_page_token: z.optional(z.string()),
})

/** Looks advisories up, each once. Every failure is an outcome. */
export class Osv {
  readonly #settings: OsvSettings
  readonly #known = new Map<string, OsvOutcome<Advisory>>()

  constructor(settings: OsvSettings) {
    this.#settings = settings
  }

  /** By CVE or GHSA id; the advisory bears the id that was asked for, whatever its main one is. */
  async advisory(id: string): Promise<OsvOutcome<Advisory>> {
    const known = this.#known.get(id)
    if (known) return known
    const outcome = await this.#lookUp(id)
    if (outcome.kind !== 'found' && outcome.kind !== 'absent') return outcome
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < mostRemembered) break
      this.#known.delete(oldest)
    }
    this.#known.set(id, outcome)
    return outcome
  }

  /** What a version of a package is open to, all pages of it. */
  async affecting({ ecosystem, name, version }: PackageVersion): Promise<OsvOutcome<Advisory[]>> {
    const found: Advisory[] = []
    let token: string | undefined
    for (let page = 0; page < mostPages; page++) {
      const body = { package: { ecosystem, name }, version, ...(token && { page_token: token }) }
      const answer = await this.#ask('/v1/query', Page, JSON.stringify(body))
      if (answer.kind !== 'found') return answer
      found.push(...answer.value.vulns.map((vulnerability) => advisoryOf(vulnerability)))
      token = answer.value.next_page_token
      if (!token) return { kind: 'found', value: found }
    }
    return { kind: 'unreachable', reason: 'its list of advisories does not end' }
  }

  async #lookUp(id: string): Promise<OsvOutcome<Advisory>> {
    const answer = await this.#ask(`/v1/vulns/${encodeURIComponent(id)}`, Vulnerability)
    return answer.kind === 'found' ? { kind: 'found', value: advisoryOf(answer.value, id) } : answer
  }

  async #ask<T extends z.ZodMiniType>(path: string, shape: T, body?: string): Promise<OsvOutcome<z.output<T>>> {
    const { http, baseUrl } = this.#settings
    const url = `${baseUrl.replace(/\/+$/, '')}${path}`
    const headers = { 'content-type': 'application/json' }
    const answer = await http.ask({ url, types, maxBytes, ...(body && { method: 'POST', body, headers }) })
    switch (answer.kind) {
      case 'ok': {
        const value = parseJson(answer.body, shape)
        return value === undefined
          ? { kind: 'unreachable', reason: `${new URL(url).host} answered with something else than an advisory` }
          : { kind: 'found', value }
      }
      case 'absent':
        return { kind: 'absent' }
      case 'limited':
        return { kind: 'limited', retryAt: answer.retryAt }
      case 'unchanged':
        return { kind: 'unreachable', reason: 'it says that nothing has changed, and was not asked that' }
      default:
        return { kind: 'unreachable', reason: answer.reason }
    }
  }
}
