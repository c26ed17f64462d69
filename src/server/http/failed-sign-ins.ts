import { ReltError } from '../../errors.ts'
import type { Attempt, FailureCount } from './failure-count.ts'
import { Slots } from './slots.ts'

/** Failures of an address, or of an account, that pass in a minute. */
export const usualFailuresPerMinute = 10

/** Slows guessing down. Only failures count. */
export class FailedSignIns {
  readonly #clock: () => number
  readonly #count: FailureCount
  /** A hash takes 32 MiB and most of a processor for 80 ms. */
  readonly #hashing = new Slots({ running: 2, runningPerOwner: 2, waiting: 32, waitingPerOwner: 16 })

  /** `clock` in milliseconds. */
  constructor(clock: () => number, count: FailureCount) {
    this.#clock = clock
    this.#count = count
  }

  /** Counts a key that was looked up and is wrong. Throws `rate_limited` after too many of them. */
  async countKey(attempt: Attempt): Promise<void> {
    refuse(await this.#count.countKey(attempt, this.#clock()))
  }

  /**
   * Checks a password, which takes long: a few at a time, and not at all after too many failures. Throws `rate_limited`, or
   * `busy` when too many wait.
   */
  async checkPassword<T>(attempt: Attempt, check: () => Promise<T | undefined>): Promise<T | undefined> {
    refuse(this.#count.passwordWait(attempt, this.#clock()))
    const release = await this.#hashing.take(attempt.address)
    try {
      const { waitSeconds, forgive } = await this.#count.countPassword(attempt, this.#clock())
      refuse(waitSeconds)
      const result = await check()
      if (result !== undefined) await forgive()
      return result
    } finally {
      release()
    }
  }
}

function refuse(waitSeconds: number): void {
  if (waitSeconds === 0) return
  const message = `Too many wrong credentials. Retry in ${waitSeconds} s.`
  throw new ReltError('rate_limited', message, { retryAfter: waitSeconds })
}
