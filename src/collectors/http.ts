import { setTimeout as wait } from 'node:timers/promises'
import { type HttpAnswer, readAnswer } from './http/answer.ts'
import { Connections, type HttpSettings } from './http/connections.ts'
import { type Failure, reasonFor } from './http/failure.ts'
import { Gates } from './http/gates.ts'
import type { Budget, SourceRequest } from './http/question.ts'
import { SilentHosts } from './http/silent-hosts.ts'

export type { HttpAnswer } from './http/answer.ts'
export type { HttpSettings } from './http/connections.ts'

export interface Http {
  /** Every failure is an answer; throws only when it is asked to end. */
  ask(question: SourceRequest): Promise<HttpAnswer>
  /** Remaining requests, as the host last reported. */
  budget(url: string, name?: string): Budget | undefined
  close(): Promise<void>
}

const usualMaxBytes = 16 * 1024 * 1024

/** Asks hosts, a few questions at once each, as often as they like to be asked. */
export function createHttp(settings: HttpSettings): Http {
  const connections = new Connections(settings)
  const gates = new Gates(settings)
  const silent = new SilentHosts()

  async function ask(question: SourceRequest): Promise<HttpAnswer> {
    const { host } = new URL(question.url)
    for (let attempt = 0; ; attempt++) {
      const retryAt = await gates.waitForLimit(host, question.budget)
      if (retryAt !== undefined) return { kind: 'limited', retryAt }
      const { answer, isPassing, isSilence } = await gates.enter(host, () => askOnce(question))
      const pause = settings.retryPausesMs[attempt]
      if (!isPassing || pause === undefined) {
        if (isSilence && answer.kind === 'unreachable') silent.notHeard(host, answer.reason)
        return answer
      }
      if (answer.kind === 'unreachable') {
        const asked = answer.retryAt === undefined ? 0 : (answer.retryAt - settings.now()) * 1000
        if (asked > settings.maxWaitSeconds * 1000) return answer
        await wait(Math.max(asked, pause * (0.5 + Math.random())), undefined, { signal: settings.signal })
      }
    }
  }

  async function askOnce(question: SourceRequest): Promise<Omit<Failure, 'reason'> & { answer: HttpAnswer }> {
    const { host } = new URL(question.url)
    const maxBytes = question.maxBytes ?? usualMaxBytes
    const known = silent.reasonFor(host)
    if (known !== undefined) return { answer: { kind: 'unreachable', reason: known } }
    try {
      const response = await connections.exchange(question, maxBytes)
      silent.heard(host)
      gates.note(host, question.budget, response.headers)
      const read = readAnswer(response, question, settings.now())
      if (read.answer.kind === 'limited') gates.block(host, question.budget, read.answer.retryAt)
      return read
    } catch (error) {
      settings.signal.throwIfAborted()
      const { reason, ...rest } = reasonFor(error, { host, maxBytes })
      return { answer: { kind: 'unreachable', reason }, ...rest }
    }
  }

  return {
    ask,
    budget: (url, name) => gates.budget(new URL(url).host, name),
    close: () => connections.close(),
  }
}
