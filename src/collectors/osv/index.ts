import type { Advisory } from '../../security/security-of.ts'
import type { Http } from '../http.ts'
import { parseJson } from '../parse-json.ts'
import { advisoryOf, Vulnerability } from './vulnerability.ts'

export interface OsvSettings {
  http: Http
  /** `https://api.osv.dev` or a mirror of it. */
  baseUrl: string
}

export type OsvOutcome =
  | { kind: 'found'; value: Advisory }
  | { kind: 'absent' }
  | { kind: 'unreachable'; reason: string }
  /** Unix seconds. */
  | { kind: 'limited'; retryAt: number }

const types = ['application/json']
const maxBytes = 8 * 1024 * 1024
/** What one sync may remember; what was asked first goes first. */
const mostRemembered = 2000

/** Looks advisories up, each once. Every failure is an outcome. */
export class Osv {
  readonly #settings: OsvSettings
  readonly #known = new Map<string, OsvOutcome>()

  constructor(settings: OsvSettings) {
    this.#settings = settings
  }

  /** By CVE or GHSA id; the advisory bears the id that was asked for, whatever its main one is. */
  async advisory(id: string): Promise<OsvOutcome> {
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

  async #lookUp(id: string): Promise<OsvOutcome> {
    const { http, baseUrl } = this.#settings
    const url = `${baseUrl.replace(/\/+$/, '')}/v1/vulns/${encodeURIComponent(id)}`
    const answer = await http.ask({ url, types, maxBytes })
    switch (answer.kind) {
      case 'ok': {
        const value = parseJson(answer.body, Vulnerability)
        return value === undefined
          ? { kind: 'unreachable', reason: `${new URL(url).host} answered with something else than an advisory` }
          : { kind: 'found', value: advisoryOf(value, id) }
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
