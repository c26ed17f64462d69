import { ReltError } from '../../errors.ts'

interface SlotLimits {
  /** Maximum running. */
  running: number
  runningPerOwner: number
  /** Maximum waiting; further ones are rejected. */
  waiting: number
  waitingPerOwner: number
  /** Maximum wait in milliseconds; unlimited if absent. */
  patienceMs?: number
}

/**
 * Limits how much expensive work runs in parallel. Each owner has a queue, served in turn. An owner can occupy neither all
 * slots nor the whole waiting list.
 */
export class Slots {
  readonly #limits: SlotLimits
  readonly #running = new Map<string, number>()
  #total = 0
  /** Functions that start the waiting work, by owner; the first owner is next. */
  readonly #queues = new Map<string, (() => void)[]>()
  #waiting = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** Waits for a slot, and returns a function that releases it. Throws `busy` if too many wait already, or after too long a wait. */
  async take(owner: string): Promise<() => void> {
    if (this.#hasRoom(owner)) return this.#start(owner)
    const { waiting, waitingPerOwner } = this.#limits
    const own = this.#queues.get(owner)?.length ?? 0
    if (this.#waiting >= waiting || own >= waitingPerOwner) throw tooMany()
    return this.#wait(owner)
  }

  #wait(owner: string) {
    const { patienceMs } = this.#limits
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const start = () => {
      clearTimeout(timer)
      resolve(this.#start(owner))
    }
    const giveUp = () => {
      this.#leave(owner, start)
      reject(tooMany())
    }
    const timer = patienceMs === undefined ? undefined : setTimeout(giveUp, patienceMs)
    this.#queues.set(owner, [...(this.#queues.get(owner) ?? []), start])
    this.#waiting++
    return promise
  }

  #hasRoom(owner: string): boolean {
    const { running, runningPerOwner } = this.#limits
    return this.#total < running && (this.#running.get(owner) ?? 0) < runningPerOwner
  }

  #start(owner: string) {
    this.#total++
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#total--
      const left = this.#running.get(owner)! - 1
      if (left > 0) this.#running.set(owner, left)
      else this.#running.delete(owner)
      this.#startNext()
    }
  }

  #startNext(): void {
    for (const [owner, [first]] of this.#queues) {
      if (!this.#hasRoom(owner)) continue
      this.#leave(owner, first!)
      // Moves the owner behind all others.
      const rest = this.#queues.get(owner)
      if (rest) {
        this.#queues.delete(owner)
        this.#queues.set(owner, rest)
      }
      first!()
      return
    }
  }

  #leave(owner: string, start: () => void): void {
    const rest = this.#queues.get(owner)!.filter((each) => each !== start)
    if (rest.length > 0) this.#queues.set(owner, rest)
    else this.#queues.delete(owner)
    this.#waiting--
  }
}

const tooMany = () => new ReltError('busy', 'Too many requests of this kind at once.', { retryAfter: 5 })
