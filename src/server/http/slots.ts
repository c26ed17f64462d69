import { ReltError } from '../../errors.ts'

interface SlotLimits {
  /** How many run at once. */
  running: number
  runningPerOwner: number
  /** How many wait; beyond them the next is refused. */
  waiting: number
  waitingPerOwner: number
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

  /** Waits for a slot; the result gives it back. Throws `busy` when too many wait already. */
  async take(owner: string): Promise<() => void> {
    if (this.#hasRoom(owner)) return this.#start(owner)
    const { waiting, waitingPerOwner } = this.#limits
    const own = this.#queue.filter((each) => each.owner === owner).length
    if (this.#queue.length >= waiting || own >= waitingPerOwner) {
      throw new ReltError('busy', 'Too many requests of this kind at once.')
    }
    return new Promise((resolve) => this.#queue.push({ owner, start: () => resolve(this.#start(owner)) }))
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
