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
export function createSlots({ running, runningPerOwner, waiting, waitingPerOwner, patienceMs }: SlotLimits) {
  const runningOf = new Map<string, number>()
  let total = 0
  /** Functions that start the waiting work, by owner; the first owner is next. */
  const queues = new Map<string, (() => void)[]>()
  let inQueues = 0
  return { take }

  /** Waits for a slot, and returns a function that releases it. Throws `busy` if too many wait already, or after too long a wait. */
  async function take(owner: string) {
    if (hasRoom(owner)) return hold(owner)
    const own = queues.get(owner)?.length ?? 0
    if (inQueues >= waiting || own >= waitingPerOwner) throw tooMany()
    return wait(owner)
  }

  function wait(owner: string) {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const start = () => {
      clearTimeout(timer)
      resolve(hold(owner))
    }
    const giveUp = () => {
      leave(owner, start)
      reject(tooMany())
    }
    const timer = patienceMs === undefined ? undefined : setTimeout(giveUp, patienceMs)
    queues.set(owner, [...(queues.get(owner) ?? []), start])
    inQueues++
    return promise
  }

  function hasRoom(owner: string) {
    return total < running && (runningOf.get(owner) ?? 0) < runningPerOwner
  }

  function hold(owner: string) {
    total++
    runningOf.set(owner, (runningOf.get(owner) ?? 0) + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      total--
      const left = runningOf.get(owner)! - 1
      if (left > 0) runningOf.set(owner, left)
      else runningOf.delete(owner)
      startNext()
    }
  }

  function startNext() {
    for (const [owner, [first]] of queues) {
      if (!hasRoom(owner)) continue
      leave(owner, first!)
      // Moves the owner behind all others.
      const rest = queues.get(owner)
      if (rest) {
        queues.delete(owner)
        queues.set(owner, rest)
      }
      first!()
      return
    }
  }

  function leave(owner: string, start: () => void) {
    const rest = queues.get(owner)!.filter((each) => each !== start)
    if (rest.length > 0) queues.set(owner, rest)
    else queues.delete(owner)
    inQueues--
  }
}

const tooMany = () => new ReltError('busy', 'Too many requests of this kind at once.', { retryAfter: 5 })
