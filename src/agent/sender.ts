import { ReltError } from '../errors.ts'
import { type Circuit, openCircuit } from '../spool/circuit.ts'
import { isStopping, type SendResult } from '../spool/send.ts'
import type { Spool } from '../spool/spool.ts'
import { type FlushContext, sendWaiting } from '../submit/flush.ts'
import type { UnixSeconds } from '../util/time.ts'

export interface SenderOptions {
  spool: Spool
  connect: FlushContext['connect']
  now: () => UnixSeconds
  random: () => number
  onResult: (result: SendResult) => void
}

/** Sends what waits in the spool, with a circuit for each server. */
export class Sender {
  readonly #options: SenderOptions
  readonly #circuits = new Map<string, Circuit>()

  constructor(options: SenderOptions) {
    this.#options = options
  }

  /** Time of the last turn in which a server took an upload, or nothing waited. */
  lastGoodAt: UnixSeconds | undefined

  /** Sends to each server whose circuit allows it. Throws what the spool throws, except that another process sends. */
  async turn(): Promise<void> {
    const { spool, connect, now, onResult } = this.#options
    const time = now()
    const isOpen = (url: string) => (this.#circuits.get(url)?.notBefore ?? 0) <= time
    const waiting = spool.list().filter(({ attempts }) => !attempts.refused)
    if (waiting.length === 0) this.lastGoodAt = time
    if (!waiting.some(({ server }) => isOpen(server.url))) return
    let results: SendResult[]
    try {
      const choose: Parameters<typeof sendWaiting>[1]['choose'] = (entries) =>
        entries.filter(({ server, attempts }) => !attempts.refused && isOpen(server.url))
      results = await sendWaiting({ spool, connect, onProgress: () => {} }, { choose })
    } catch (error) {
      if (error instanceof ReltError && error.code === 'busy') return
      throw error
    }
    for (const result of results) {
      this.#note(result)
      onResult(result)
    }
  }

  #note({ entry, outcome }: SendResult): void {
    const { now, random } = this.#options
    const { url } = entry.server
    if ('uploaded' in outcome) {
      this.#circuits.delete(url)
      this.lastGoodAt = now()
    } else if (isStopping(outcome.error)) {
      const { retryAfter } = outcome.error
      this.#circuits.set(url, openCircuit(this.#circuits.get(url), { now: now(), retryAfter, random: random() }))
    }
  }
}
