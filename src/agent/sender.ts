import { ReltError } from '../errors.ts'
import { type Circuit, isPassable, openCircuit } from '../spool/circuit.ts'
import { serverTag } from '../spool/entry-id.ts'
import { isRefusal, type SendContext, type SendResult } from '../spool/send.ts'
import type { Spool } from '../spool/spool.ts'
import { sendWaiting } from '../submit/flush.ts'
import type { UnixSeconds } from '../util/time.ts'

export interface SenderOptions {
  spool: Spool
  connect: SendContext['connect']
  now: () => UnixSeconds
  /** Returns a number from 0 to below 1. */
  random: () => number
  onResult: (result: SendResult) => void
}

/** A turn starts no upload after this time, so that limits and other processes get their turn. */
const turnMs = 60_000

/**
 * Sends the uploads in the spool. A failing server is paused for a while, and so are uploads that fail individually; memory
 * does not depend on their number.
 */
export class Sender {
  readonly #options: SenderOptions
  /** Server tag → circuit breaker. */
  readonly #servers = new Map<string, Circuit>()
  /** Uploads that failed individually, by server tag: those up to this id wait, newer ones do not. */
  readonly #leftovers = new Map<string, { circuit: Circuit; upTo: string }>()

  constructor(options: SenderOptions) {
    this.#options = options
  }

  /** Time of the last turn in which a server accepted an upload, or the spool was empty. */
  lastGoodAt: UnixSeconds | undefined

  /**
   * Sends to each server whose circuit is closed. After `signal` no upload is started, and `abandon` cancels the current
   * one, which stays in the spool. Throws errors of the spool, except that another process is sending.
   */
  async turn({ signal, abandon }: { signal?: AbortSignal; abandon?: AbortSignal } = {}): Promise<void> {
    const { spool, connect, now, onResult } = this.#options
    const time = now()
    const isWanted = (tag: string, id: string) => this.#isDue(tag, id, time)
    if (isNone(spool.entries({ isWanted }))) {
      if (spool.usage().waiting === 0) this.lastGoodAt = time
      return
    }
    const due = new Set([...this.#leftovers].filter(([, { circuit }]) => isPassable(circuit, time)).map(([tag]) => tag))
    const stopped = new Set<string>()
    const failed = new Map<string, string>()
    const note = (result: SendResult) => {
      const tag = serverTag(result.entry.server.url)
      if (result.isStopping) stopped.add(tag)
      this.#note(tag, result)
      if ('error' in result.outcome && !result.isStopping && !isRefusal(result.outcome.error)) {
        failed.set(tag, result.entry.id)
      }
      onResult(result)
    }
    try {
      const entries = () => spool.entries({ isWanted: (tag, id) => !stopped.has(tag) && isWanted(tag, id) })
      const sending = { entries, timeoutMs: turnMs, isEnded: () => signal?.aborted === true, onResult: note }
      await sendWaiting({ spool, connect, signal: abandon, onProgress: () => {} }, sending)
    } catch (error) {
      if (error instanceof ReltError && error.code === 'busy') return
      throw error
    } finally {
      this.#noteLeftovers(failed, due, stopped)
    }
  }

  #isDue(tag: string, id: string, time: UnixSeconds) {
    if (!isPassable(this.#servers.get(tag), time)) return false
    const left = this.#leftovers.get(tag)
    return !left || id > left.upTo || isPassable(left.circuit, time)
  }

  #note(tag: string, { outcome, isStopping }: SendResult) {
    const { now, random } = this.#options
    if ('uploaded' in outcome) {
      this.#servers.delete(tag)
      this.lastGoodAt = now()
    } else if (isStopping) {
      const { retryAfter } = outcome.error
      this.#servers.set(tag, openCircuit(this.#servers.get(tag), { now: now(), retryAfter, random: random() }))
    }
  }

  #noteLeftovers(failed: Map<string, string>, due: Set<string>, stopped: Set<string>) {
    const { now, random } = this.#options
    for (const tag of due) if (!failed.has(tag) && !stopped.has(tag)) this.#leftovers.delete(tag)
    for (const [tag, upTo] of failed) {
      const left = this.#leftovers.get(tag)
      const isPaused = left !== undefined && !due.has(tag)
      const circuit = isPaused
        ? left.circuit
        : openCircuit(left?.circuit, { now: now(), retryAfter: undefined, random: random() })
      this.#leftovers.set(tag, { circuit, upTo: left && left.upTo > upTo ? left.upTo : upTo })
    }
  }
}

const isNone = (entries: Generator) => entries.next().done === true
