import { ReltError } from '../../errors.ts'
import { RateLimiter } from './rate-limit.ts'
import { Slots } from './slots.ts'

const usualPerMinute = 10

/** Pairs of address and account that are remembered; the oldest goes first. */
const maxKnown = 10_000

/** A limiter and its key. */
type Bucket = [RateLimiter, string]

interface Attempt {
  /** Address of the caller. */
  address: string
  /** Undefined when the credentials name no account. */
  login: string | undefined
}

/** Slows guessing down. Only failures count, those of keys and of passwords apart. */
export class FailedSignIns {
  readonly #clock: () => number
  readonly #keys: Record<'address' | 'login', RateLimiter>
  readonly #passwords: Record<'address' | 'login' | 'known', RateLimiter>
  /** Signed in before from the same address: failures of others neither lock the account nor the address for them. */
  readonly #known = new Set<string>()
  /** A hash takes 32 MiB and most of a processor for 80 ms. */
  readonly #hashing = new Slots({ running: 2, runningPerOwner: 2, waiting: 32, waitingPerOwner: 16 })

  /** `clock` in milliseconds. So many failures of an address, or of an account, pass in a minute; 0 is no limit. */
  constructor(clock: () => number, perMinute = usualPerMinute) {
    this.#clock = clock
    const limiter = () => new RateLimiter(perMinute)
    this.#keys = { address: limiter(), login: limiter() }
    this.#passwords = { address: limiter(), login: limiter(), known: limiter() }
  }

  /** Counts a key that was looked up and is wrong. Throws `rate_limited` after too many of them. */
  countKey({ address, login }: Attempt): void {
    const now = this.#clock()
    const buckets: Bucket[] = [[this.#keys.address, address]]
    if (login !== undefined) buckets.push([this.#keys.login, login])
    const taken = buckets.map(([limiter, key]) => limiter.take(key, now))
    if (taken.includes(false)) throw tooManyFailures(buckets, now)
  }

  /**
   * Checks a password, which takes long: a few at a time, and not at all after too many failures. Throws `rate_limited`, or
   * `busy` when too many wait.
   */
  async checkPassword<T>(attempt: Attempt, check: () => Promise<T | undefined>): Promise<T | undefined> {
    refuseEmpty(this.#bucketsOf(attempt), this.#clock())
    const release = await this.#hashing.take(attempt.address)
    try {
      return await this.#check(attempt, check)
    } finally {
      release()
    }
  }

  /** An attempt counts as a failure while it is checked: several at once must not get more tries. */
  async #check<T>(attempt: Attempt, check: () => Promise<T | undefined>): Promise<T | undefined> {
    const buckets = this.#bucketsOf(attempt)
    const now = this.#clock()
    refuseEmpty(buckets, now)
    for (const [limiter, key] of buckets) limiter.take(key, now)
    const result = await check()
    if (result === undefined) return undefined
    for (const [limiter, key] of buckets) limiter.giveBack(key, now)
    this.#remember(attempt)
    return result
  }

  #bucketsOf({ address, login = '' }: Attempt): Bucket[] {
    const pair = pairOf(address, login)
    const { known, address: ofAddress, login: ofLogin } = this.#passwords
    if (this.#known.has(pair)) return [[known, pair]]
    return [
      [ofAddress, address],
      [ofLogin, login],
    ]
  }

  #remember({ address, login = '' }: Attempt): void {
    const pair = pairOf(address, login)
    this.#known.delete(pair)
    this.#known.add(pair)
    if (this.#known.size > maxKnown) this.#known.delete(this.#known.values().next().value!)
  }
}

const pairOf = (address: string, login: string): string => `${address} ${login}`

function refuseEmpty(buckets: Bucket[], nowMs: number): void {
  if (!buckets.every(([limiter, key]) => limiter.hasLeft(key, nowMs))) throw tooManyFailures(buckets, nowMs)
}

function tooManyFailures(buckets: Bucket[], nowMs: number): ReltError {
  const retryAfter = Math.max(...buckets.map(([limiter, key]) => limiter.secondsUntilNext(key, nowMs)))
  return new ReltError('rate_limited', `Too many wrong credentials. Retry in ${retryAfter} s.`, { retryAfter })
}
