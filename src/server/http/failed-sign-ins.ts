import { setTimeout as sleep } from 'node:timers/promises'
import { ReltError } from '../../errors.ts'
import { type Attempt, FailureCount } from './failure-count.ts'
import { createSlots } from './slots.ts'

/** Default limit of failures per minute, by address and by account; 0 is no limit. */
export const usualFailuresPerMinute = 10

/** Longest delay of a password check because of others' attempts on the account. */
const slowestMs = 5000

interface Timing {
  /** Milliseconds. */
  clock: () => number
  wait?: ((ms: number) => Promise<unknown>) | undefined
}

/**
 * Limits password guessing. Only failures count. A guessing address is blocked. An account under attack is only slowed by
 * seconds, because blocking would let anyone lock it; known browsers and addresses are not slowed.
 */
export class FailedSignIns {
  readonly #clock: () => number
  readonly #wait: NonNullable<Timing['wait']>
  readonly #count: FailureCount
  /** A hash takes 32 MiB and most of a CPU for 80 ms. Known callers do not queue behind others. */
  readonly #hashing = {
    known: createSlots({ running: 2, runningPerOwner: 1, waiting: 100, waitingPerOwner: 10 }),
    other: createSlots({ running: 2, runningPerOwner: 2, waiting: 400, waitingPerOwner: 16 }),
  }
  /** Each waits on an open connection. */
  readonly #slowed = createSlots({ running: 2000, runningPerOwner: 20, waiting: 0, waitingPerOwner: 0 })

  constructor({ clock, wait = sleep }: Timing, perMinute = usualFailuresPerMinute) {
    this.#clock = clock
    this.#wait = wait
    this.#count = new FailureCount(perMinute)
  }

  /** Counts an invalid key. Throws `rate_limited` after too many. */
  countKey(attempt: Attempt) {
    refuse(this.#count.countKey(attempt, this.#clock()))
  }

  /**
   * Checks a password, which is slow: a few in parallel, and none after too many failures of the caller. Throws
   * `rate_limited`, or `busy` if too many wait.
   */
  async checkPassword<T>(attempt: Attempt, check: () => Promise<T | undefined>) {
    refuse(this.#count.passwordWait(attempt, this.#clock()))
    let leave = await this.#enter(attempt)
    try {
      const { waitSeconds, slowSeconds, forgive } = this.#count.countPassword(attempt, this.#clock())
      refuse(waitSeconds)
      if (slowSeconds > 0) {
        leave()
        await this.#slow(attempt, slowSeconds * 1000)
        leave = await this.#enter(attempt)
      }
      const result = await check()
      if (result !== undefined) forgive()
      return result
    } finally {
      leave()
    }
  }

  #enter({ address, known }: Attempt) {
    return known === undefined ? this.#hashing.other.take(address) : this.#hashing.known.take(known)
  }

  async #slow({ address }: Attempt, ms: number) {
    const leave = await this.#slowed.take(address)
    await this.#wait(Math.min(ms, slowestMs)).finally(leave)
  }
}

function refuse(waitSeconds: number) {
  if (waitSeconds === 0) return
  const message = `Too many wrong credentials. Retry in ${waitSeconds} s.`
  throw new ReltError('rate_limited', message, { retryAfter: waitSeconds })
}
