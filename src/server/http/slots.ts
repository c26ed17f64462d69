import { ReltError } from '../../errors.ts'

interface SlotLimits {
  /** How many run at once. */
  running: number
  runningPerOwner: number
  /** How many wait; beyond them the next is refused. */
  waiting: number
  waitingPerOwner: number
  /** How long one waits, in milliseconds; without it, until its turn. */
  patienceMs?: number
}

interface WaitingAnswer {
  owner: string
  start: () => void
}

/** Lets expensive work run a few at a time. An owner can neither take all slots nor the whole queue. */
export class Slots {
  readonly #limits: SlotLimits
  readonly #running = new Map<string, number>()
  #total = 0
  #queue: WaitingAnswer[] = []

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** Waits for a slot, and returns a function that releases it. Throws `busy` if too many wait already, or after too long a wait. */
  async take(owner: string): Promise<() => void> {
    if (this.#hasRoom(owner)) return this.#start(owner)
    const { waiting, waitingPerOwner } = this.#limits
    const own = this.#queue.filter((each) => each.owner === owner).length
    if (this.#queue.length >= waiting || own >= waitingPerOwner) {
      throw tooMany()
    }
    return this.#wait(owner)
  }

  #wait(owner: string): Promise<() => void> {
    const { patienceMs } = this.#limits
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const waiting = {
      owner,
      start: () => {
        clearTimeout(timer)
        resolve(this.#start(owner))
      },
    }
    const giveUp = () => {
      this.#queue.splice(this.#queue.indexOf(waiting), 1)
      reject(tooMany())
    }
    const timer = patienceMs === undefined ? undefined : setTimeout(giveUp, patienceMs)
    this.#queue.push(waiting)
    return promise
  }

  #hasRoom(owner: string): boolean {
    const { running, runningPerOwner } = this.#limits
    return this.#total < running && (this.#running.get(owner) ?? 0) < runningPerOwner
  }

  #start(owner: string): () => void {
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
    const index = this.#queue.findIndex(({ owner }) => this.#hasRoom(owner))
    if (index >= 0) this.#queue.splice(index, 1)[0]!.start()
  }
}

const tooMany = () => new ReltError('busy', 'Too many requests of this kind at once.')
