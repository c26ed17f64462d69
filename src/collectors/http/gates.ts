import { setTimeout as wait } from 'node:timers/promises'
import type { HttpResponse } from '../../util/http-exchange.ts'
import { remember } from '../../util/remember.ts'
import { toNumber } from './answer.ts'
import type { HttpSettings } from './connections.ts'
import type { Budget } from './question.ts'

interface Gate {
  free: number
  waiting: (() => void)[]
}

/** Limits parallel requests to a host, and waits while it is rate-limited. A limit is a host and the name of its budget. */
export function createGates({ now, maxWaitSeconds, signal, perHost }: HttpSettings) {
  const gates = new Map<string, Gate>()
  const budgets = new Map<string, Budget>()
  const blocked = new Map<string, number>()
  return {
    async enter<T>(host: string, work: () => Promise<T>) {
      const gate = remember(gates, host, () => ({ free: perHost, waiting: [] }))
      if (gate.free > 0) gate.free--
      else await new Promise<void>((enter) => gate.waiting.push(enter))
      try {
        return await work()
      } finally {
        const next = gate.waiting.shift()
        if (next) next()
        else gate.free++
      }
    },

    /** Waits for a short rate limit; for a long one, returns its end in unix seconds. */
    async waitFor(limit: string) {
      for (;;) {
        signal.throwIfAborted()
        const until = blocked.get(limit) ?? 0
        const seconds = until - now()
        if (seconds <= 0) return undefined
        if (seconds > maxWaitSeconds) return until
        await wait(seconds * 1000, undefined, { signal })
      }
    },

    block(limit: string, until: number) {
      blocked.set(limit, until)
    },

    note(name: string, headers: HttpResponse['headers']) {
      const [limit, remaining, resetAt] = ['limit', 'remaining', 'reset'].map((of) =>
        toNumber(headers, `x-ratelimit-${of}`),
      )
      if (limit === undefined || remaining === undefined || resetAt === undefined) return
      budgets.set(name, { limit, remaining, resetAt })
      if (remaining === 0) blocked.set(name, resetAt)
    },

    budget(limit: string) {
      const known = budgets.get(limit)
      return known && known.resetAt > now() ? known : undefined
    },
  }
}
