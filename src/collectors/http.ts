import { setTimeout as wait } from 'node:timers/promises'
import { type HttpAnswer, readAnswer } from './http/answer.ts'
import { Connections, type HttpSettings } from './http/connections.ts'
import { type Failure, ofHost, reasonFor } from './http/failure.ts'
import { Gates } from './http/gates.ts'
import type { Budget, SourceRequest } from './http/question.ts'

export type { HttpAnswer } from './http/answer.ts'
export type { HttpSettings } from './http/connections.ts'

export interface Http {
  /** Failures are answers; throws only when aborted. */
  ask(question: SourceRequest): Promise<HttpAnswer>
  /** Remaining requests, as the host last reported. */
  budget(url: string, name?: string): Budget | undefined
  close(): Promise<void>
}

const usualMaxBytes = 16 * 1024 * 1024

/** An HTTP client that limits requests per host, in parallel and over time. */
export function createHttp(settings: HttpSettings): Http {
  return new PatientHttp(settings)
}

class PatientHttp implements Http {
  readonly #settings: HttpSettings
  readonly #connections: Connections
  readonly #gates: Gates
  readonly #silent = new SilentHosts()

  constructor(settings: HttpSettings) {
    this.#settings = settings
    this.#connections = new Connections(settings)
    this.#gates = new Gates(settings)
  }

  async ask(question: SourceRequest): Promise<HttpAnswer> {
    const { retryPausesMs, maxWaitSeconds, now, signal } = this.#settings
    const { host } = new URL(question.url)
    for (let attempt = 0; ; attempt++) {
      const retryAt = await this.#gates.waitForLimit(host, question.budget)
      if (retryAt !== undefined) return { kind: 'limited', retryAt }
      const { answer, isPassing, isSilence } = await this.#gates.enter(host, () => this.#askOnce(question))
      const pause = retryPausesMs[attempt]
      if (!isPassing || pause === undefined) {
        if (isSilence && answer.kind === 'unreachable') this.#silent.notHeard(host, answer)
        return answer
      }
      if (answer.kind === 'unreachable') {
        const asked = answer.retryAt === undefined ? 0 : (answer.retryAt - now()) * 1000
        if (asked > maxWaitSeconds * 1000) return answer
        await wait(Math.max(asked, pause * (0.5 + Math.random())), undefined, { signal })
      }
    }
  }

  budget(url: string, name?: string) {
    return this.#gates.budget(new URL(url).host, name)
  }

  close() {
    return this.#connections.close()
  }

  async #askOnce(question: SourceRequest): Promise<Pick<Failure, 'isPassing' | 'isSilence'> & { answer: HttpAnswer }> {
    const { host } = new URL(question.url)
    const maxBytes = question.maxBytes ?? usualMaxBytes
    const known = this.#silent.reasonFor(host)
    if (known !== undefined) return { answer: { kind: 'unreachable', ...known } }
    try {
      const response = await this.#connections.exchange(question, maxBytes)
      this.#silent.heard(host)
      this.#gates.note(host, question.budget, response.headers)
      const read = readAnswer(response, question, this.#settings.now())
      if (read.answer.kind === 'limited') this.#gates.block(host, question.budget, read.answer.retryAt)
      return read
    } catch (error) {
      this.#settings.signal.throwIfAborted()
      const { isPassing = false, isSilence = false, ...why } = reasonFor(error, { host, maxBytes })
      return { answer: { kind: 'unreachable', ...why }, isPassing, isSilence }
    }
  }
}

/** Failed requests to a host in a row. */
const mostFailures = 3
/** Number of failing hosts, if none has ever answered, that indicates a network problem. */
const mostHosts = 8

type Why = Pick<Extract<HttpAnswer, { kind: 'unreachable' }>, 'reason' | 'noAnswer'>

/** Hosts that do not answer. Waiting for a timeout of each request would take hours. */
class SilentHosts {
  readonly #failures = new Map<string, { count: number; why: Why }>()
  #hasHeard = false

  /** Reason why the host is skipped; undefined if it is not. */
  reasonFor(host: string): Why | undefined {
    const failed = this.#failures.get(host)
    if (failed && failed.count >= mostFailures) return failed.why
    if (this.#hasHeard || this.#failures.size < mostHosts) return undefined
    return failed?.why ?? ofHost({ host, why: 'not asked, since no other host answers' })
  }

  heard(host: string): void {
    this.#failures.delete(host)
    this.#hasHeard = true
  }

  notHeard(host: string, { reason, noAnswer }: Why): void {
    const count = (this.#failures.get(host)?.count ?? 0) + 1
    this.#failures.set(host, { count, why: { reason, ...(noAnswer && { noAnswer }) } })
  }
}
