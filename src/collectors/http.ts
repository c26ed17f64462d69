import { setTimeout as wait } from 'node:timers/promises'
import { type HttpAnswer, readAnswer } from './http/answer.ts'
import { createConnections, type HttpSettings } from './http/connections.ts'
import { ofHost, toFailure } from './http/failure.ts'
import { createGates } from './http/gates.ts'
import type { Budget, SourceRequest } from './http/question.ts'

export type { HttpSettings } from './http/connections.ts'

export interface Http {
  /** Failures are answers; throws only when aborted. */
  ask(question: SourceRequest): Promise<HttpAnswer>
  /** Remaining requests, as the host last reported. */
  budget(url: string, name?: string): Budget | undefined
  close(): Promise<void>
}

interface HttpAttempt {
  answer: HttpAnswer
  /** A retry may succeed. */
  isPassing?: boolean
  /** Other requests to the host would fail too. */
  isSilence?: boolean
}

/** For a source that is worth waiting for. */
export const usualPatience = { patienceMs: 30_000, retryPausesMs: [500, 2_000], maxWaitSeconds: 60 }

const usualMaxBytes = 16 * 1024 * 1024

/** An HTTP client that limits requests per host, in parallel and over time. */
export function createHttp(settings: HttpSettings): Http {
  const { retryPausesMs, maxWaitSeconds, now, signal } = settings
  const connections = createConnections(settings)
  const gates = createGates(settings)
  const silent = silentHosts()
  const toLimit = (host: string, budget = '') => `${host} ${budget}`
  return {
    ask,
    budget: (url, name) => gates.budget(toLimit(new URL(url).host, name)),
    close: connections.close,
  }

  async function ask(question: SourceRequest): Promise<HttpAnswer> {
    const { host } = new URL(question.url)
    const limit = toLimit(host, question.budget)
    for (let attempt = 0; ; attempt++) {
      const retryAt = await gates.waitFor(limit)
      if (retryAt !== undefined) return { kind: 'limited', retryAt }
      const { answer, isPassing, isSilence } = await gates.enter(host, () => askOnce(host, limit, question))
      const pause = retryPausesMs[attempt]
      if (!isPassing || pause === undefined) {
        if (isSilence) silent.notHeard(host, answer)
        return answer
      }
      const seconds = 'retryAt' in answer ? answer.retryAt - now() : 0
      if (seconds > maxWaitSeconds) return answer
      await wait(Math.max(seconds * 1000, pause * (0.5 + Math.random())), undefined, { signal })
    }
  }

  async function askOnce(host: string, limit: string, question: SourceRequest): Promise<HttpAttempt> {
    const { maxBytes = usualMaxBytes } = question
    const known = silent.answerFor(host)
    if (known) return { answer: known }
    try {
      const response = await connections.exchange(question, maxBytes)
      silent.heard(host)
      gates.note(limit, response.headers)
      const read = readAnswer(response, question, now())
      if (read.answer.kind === 'limited') gates.block(limit, read.answer.retryAt)
      return read
    } catch (error) {
      signal.throwIfAborted()
      return toFailure(error, { host, maxBytes })
    }
  }
}

/** Failed requests to a host in a row. */
const mostFailures = 3
/** Number of failing hosts, if none has ever answered, that indicates a network problem. */
const mostHosts = 8

/** Hosts that do not answer. Waiting for a timeout of each request would take hours. */
function silentHosts() {
  const failures = new Map<string, { count: number; answer: HttpAnswer }>()
  let hasHeard = false
  return {
    /** The answer if the host is skipped. */
    answerFor(host: string) {
      const failed = failures.get(host)
      if (failed && failed.count >= mostFailures) return failed.answer
      if (hasHeard || failures.size < mostHosts) return undefined
      return failed?.answer ?? ofHost({ host, why: 'not asked, since no other host answers' })
    },
    heard(host: string) {
      failures.delete(host)
      hasHeard = true
    },
    notHeard(host: string, answer: HttpAnswer) {
      failures.set(host, { count: (failures.get(host)?.count ?? 0) + 1, answer })
    },
  }
}
