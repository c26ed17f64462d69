import type { Route } from '../../contract/routes.ts'
import { ReltError } from '../../errors.ts'
import { createSlots } from './slots.ts'
import { type HttpContext, ownerFor } from './state.ts'

/**
 * Limits how many answers that open sealed data, or are large, are computed in parallel. A slot is released when the answer
 * is sent, so unread answers do not accumulate.
 */
export class AnswerSlots {
  readonly #slots = createSlots({
    running: 12,
    runningPerOwner: 3,
    waiting: 1000,
    waitingPerOwner: 100,
    patienceMs: 10_000,
  })

  async make(c: HttpContext, name: string, answer: () => Promise<Response>) {
    const state = c.get('state')
    const { incoming, outgoing } = c.env ?? {}
    const release = await this.#slots.take(ownerFor(state)).catch((error) => {
      // Its next request would wait as well.
      state.closing = true
      throw error
    })
    try {
      if (incoming?.socket.destroyed)
        throw new ReltError('cancelled', `Nobody waits for the answer of ${name} any more.`)
      const response = await answer()
      if (outgoing && !outgoing.closed) outgoing.once('close', release)
      else release()
      return response
    } catch (error) {
      release()
      throw error
    }
  }
}

export function needsSlot({ largeAnswer }: Route, query: Record<string, unknown>) {
  if (!largeAnswer) return false
  return largeAnswer === true || query[largeAnswer.with] !== undefined
}
