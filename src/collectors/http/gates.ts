import { setTimeout as wait } from 'node:timers/promises'
import type { HttpResponse } from '../../util/http-exchange.ts'
import { remember } from '../../util/remember.ts'
import { toHeader } from './answer.ts'
import type { HttpSettings } from './connections.ts'
import type { Budget } from './question.ts'

interface Gate {
  free: number
  waiting: (() => void)[]
}

/** Limits parallel requests to a host, and waits while it is rate-limited. */
export class Gates {
  readonly #settings: HttpSettings
  readonly #gates = new Map<string, Gate>()
  readonly #budgets = new Map<string, Budget>()
  readonly #blocked = new Map<string, number>()

  constructor(settings: HttpSettings) {
    this.#settings = settings
  }

  async enter<T>(host: string, work: () => Promise<T>) {
    const gate = remember(this.#gates, host, () => ({ free: this.#settings.perHost, waiting: [] }))
    if (gate.free > 0) gate.free--
    else await new Promise<void>((enter) => gate.waiting.push(enter))
    try {
      return await work()
    } finally {
      const next = gate.waiting.shift()
      if (next) next()
      else gate.free++
    }
  }

  /** Waits for a short rate limit; for a long one, returns its end in unix seconds. */
  async waitForLimit(host: string, budget = '') {
    const { now, maxWaitSeconds, signal } = this.#settings
    for (;;) {
      signal.throwIfAborted()
      const until = this.#blocked.get(`${host} ${budget}`) ?? 0
      const seconds = until - now()
      if (seconds <= 0) return undefined
      if (seconds > maxWaitSeconds) return until
      await wait(seconds * 1000, undefined, { signal })
    }
  }

  block(host: string, budget = '', until: number) {
    this.#blocked.set(`${host} ${budget}`, until)
  }

  note(host: string, budget = '', headers: HttpResponse['headers']) {
    const [limit, remaining, resetAt] = ['limit', 'remaining', 'reset'].map((name) => {
      const text = toHeader(headers, `x-ratelimit-${name}`)
      return text && /^\d{1,12}$/.test(text) ? Number(text) : undefined
    })
    if (limit === undefined || remaining === undefined || resetAt === undefined) return
    this.#budgets.set(`${host} ${budget}`, { limit, remaining, resetAt })
    if (remaining === 0) this.block(host, budget, resetAt)
  }

  budget(host: string, budget = '') {
    const known = this.#budgets.get(`${host} ${budget}`)
    return known && known.resetAt > this.#settings.now() ? known : undefined
  }
}
