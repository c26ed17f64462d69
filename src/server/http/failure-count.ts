import { RateLimiter } from './rate-limit.ts'

export interface Attempt {
  /** Address of the caller. */
  address: string
  /** Undefined if the credentials name no account. */
  login: string | undefined
  /** The browser or address that signed in to this account with the password before; only its own failures count for it. */
  known?: string | undefined
}

/** A password check counts as a failure until it succeeds, so that parallel checks do not allow more attempts. */
interface CountedPassword {
  /** Seconds to wait; 0 if the password may be checked. */
  waitSeconds: number
  /** Delay of the check, because there are too many attempts at the account. */
  slowSeconds: number
  /** Removes the failure after a correct password. */
  forgive: () => void
}

/** A rate limiter, with the key in it. */
type Bucket = [RateLimiter, string]

/** Counts failed sign-ins with keys and with passwords separately, by address and by account, in this server's memory. */
export class FailureCount {
  readonly #keys: Record<'address' | 'login', RateLimiter>
  readonly #passwords: Record<'address' | 'login' | 'known', RateLimiter>

  constructor(perMinute: number) {
    const limiter = () => new RateLimiter(perMinute)
    this.#keys = { address: limiter(), login: limiter() }
    this.#passwords = { address: limiter(), login: limiter(), known: limiter() }
  }

  /** Counts an invalid key. Returns the seconds to wait; 0 below the limit. */
  countKey({ address, login }: Attempt, nowMs: number) {
    const buckets: Bucket[] = [[this.#keys.address, address]]
    if (login !== undefined) buckets.push([this.#keys.login, login])
    const taken = buckets.map(([limiter, key]) => limiter.take(key, nowMs))
    return taken.includes(false) ? waitFor(buckets, nowMs) : 0
  }

  /** Seconds to wait. */
  passwordWait(attempt: Attempt, nowMs: number) {
    return waitFor([this.#callerBucket(attempt)], nowMs)
  }

  countPassword(attempt: Attempt, nowMs: number): CountedPassword {
    const caller = this.#callerBucket(attempt)
    const waitSeconds = waitFor([caller], nowMs)
    if (waitSeconds > 0) return { waitSeconds, slowSeconds: 0, forgive: () => {} }
    const account: Bucket[] = attempt.known === undefined ? [[this.#passwords.login, attempt.login ?? '']] : []
    const slowSeconds = waitFor(account, nowMs)
    const taken = slowSeconds > 0 ? [caller] : [caller, ...account]
    for (const [limiter, key] of taken) limiter.take(key, nowMs)
    const forgive = () => {
      for (const [limiter, key] of taken) limiter.giveBack(key, nowMs)
    }
    return { waitSeconds, slowSeconds, forgive }
  }

  #callerBucket({ address, known }: Attempt): Bucket {
    return known === undefined ? [this.#passwords.address, address] : [this.#passwords.known, known]
  }
}

/** 0 if none of the buckets is empty. */
const waitFor = (buckets: Bucket[], nowMs: number) =>
  Math.max(0, ...buckets.map(([limiter, key]) => limiter.secondsUntilNext(key, nowMs)))
