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
  const { retryPausesMs, maxWaitSeconds, now, signal } = settings
  const connections = new Connections(settings)
  const gates = new Gates(settings)
  const silent = silentHosts()
  return {
    ask,
    budget: (url, name) => gates.budget(new URL(url).host, name),
    close: () => connections.close(),
  }

  async function ask(question: SourceRequest): Promise<HttpAnswer> {
    const { host } = new URL(question.url)
    for (let attempt = 0; ; attempt++) {
      const retryAt = await gates.waitForLimit(host, question.budget)
      if (retryAt !== undefined) return { kind: 'limited', retryAt }
      const { answer, isPassing, isSilence } = await gates.enter(host, () => askOnce(question))
      const pause = retryPausesMs[attempt]
      if (!isPassing || pause === undefined) {
        if (isSilence && answer.kind === 'unreachable') silent.notHeard(host, answer)
        return answer
      }
      if (answer.kind === 'unreachable') {
        const asked = answer.retryAt === undefined ? 0 : (answer.retryAt - now()) * 1000
        if (asked > maxWaitSeconds * 1000) return answer
        await wait(Math.max(asked, pause * (0.5 + Math.random())), undefined, { signal })
      }
    }
  }

  async function askOnce(
    question: SourceRequest,
  ): Promise<Pick<Failure, 'isPassing' | 'isSilence'> & { answer: HttpAnswer }> {
    const { host } = new URL(question.url)
    const maxBytes = question.maxBytes ?? usualMaxBytes
    const known = silent.reasonFor(host)
    if (known !== undefined) return { answer: { kind: 'unreachable', ...known } }
    try {
      const response = await connections.exchange(question, maxBytes)
      silent.heard(host)
      gates.note(host, question.budget, response.headers)
      const read = readAnswer(response, question, now())
      if (read.answer.kind === 'limited') gates.block(host, question.budget, read.answer.retryAt)
      return read
    } catch (error) {
      signal.throwIfAborted()
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
function silentHosts() {
  const failures = new Map<string, { count: number; why: Why }>()
  let hasHeard = false
  return { reasonFor, heard, notHeard }

  /** Reason why the host is skipped; undefined if it is not. */
  function reasonFor(host: string) {
    const failed = failures.get(host)
    if (failed && failed.count >= mostFailures) return failed.why
    if (hasHeard || failures.size < mostHosts) return undefined
    return failed?.why ?? ofHost({ host, why: 'not asked, since no other host answers' })
  }

  function heard(host: string) {
    failures.delete(host)
    hasHeard = true
  }

  function notHeard(host: string, { reason, noAnswer }: Why) {
    const count = (failures.get(host)?.count ?? 0) + 1
    failures.set(host, { count, why: { reason, ...(noAnswer && { noAnswer }) } })
  }
}
