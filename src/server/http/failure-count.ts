import type { Db } from '../../db/open.ts'
import { bucketName, returnTokens, takeTokens } from '../../store/accounts/token-bucket.ts'
import { RecentValues } from '../../util/recent-values.ts'
import { RateLimiter, secondsUntilToken } from './rate-limit.ts'

export interface Attempt {
  /** Address of the caller. */
  address: string
  /** Undefined if the credentials name no account. */
  login: string | undefined
  /** The browser or address that signed in to this account with the password before; only its own failures count for it. */
  known?: string | undefined
}

/** A password check counts as a failure until it succeeds, so that parallel checks do not allow more attempts. */
export interface CountedPassword {
  /** Seconds to wait; 0 if the password may be checked. */
  waitSeconds: number
  /** Delay of the check, because there are too many attempts at the account. */
  slowSeconds: number
  /** Removes the failure after a correct password. */
  forgive: () => void | Promise<void>
}

/** Counts failed sign-ins with keys and with passwords separately, by address and by account. */
export interface FailureCount {
  /** Counts an invalid key. Returns the seconds to wait; 0 below the limit. */
  countKey(attempt: Attempt, nowMs: number): number | Promise<number>
  /** Seconds to wait, as far as this server knows. */
  passwordWait(attempt: Attempt, nowMs: number): number
  countPassword(attempt: Attempt, nowMs: number): CountedPassword | Promise<CountedPassword>
}

/** A rate limiter, with the key in it. */
type Bucket = [RateLimiter, string]

/** Counts of one server, in memory. */
export class OwnFailures implements FailureCount {
  readonly #keys: Record<'address' | 'login', RateLimiter>
  readonly #passwords: Record<'address' | 'login' | 'known', RateLimiter>

  constructor(perMinute: number) {
    const limiter = () => new RateLimiter(perMinute)
    this.#keys = { address: limiter(), login: limiter() }
    this.#passwords = { address: limiter(), login: limiter(), known: limiter() }
  }

  countKey({ address, login }: Attempt, nowMs: number): number {
    const buckets: Bucket[] = [[this.#keys.address, address]]
    if (login !== undefined) buckets.push([this.#keys.login, login])
    const taken = buckets.map(([limiter, key]) => limiter.take(key, nowMs))
    return taken.includes(false) ? waitFor(buckets, nowMs) : 0
  }

  passwordWait(attempt: Attempt, nowMs: number): number {
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
const waitFor = (buckets: Bucket[], nowMs: number): number =>
  Math.max(0, ...buckets.map(([limiter, key]) => limiter.secondsUntilNext(key, nowMs)))

const maxWaiting = 20_000

/**
 * Counts of all servers on one PostgreSQL database. A failure costs one statement; an attempt that this server knows to be
 * blocked costs none.
 */
export class SharedFailures implements FailureCount {
  readonly #db: Db
  readonly #perMinute: number
  /** End of the block in milliseconds. */
  readonly #waiting = new RecentValues<number>(maxWaiting)

  constructor(db: Db, perMinute: number) {
    this.#db = db
    this.#perMinute = perMinute
  }

  async countKey({ address, login }: Attempt, nowMs: number): Promise<number> {
    if (this.#perMinute === 0) return 0
    const names = [bucketName('key of address', address)]
    if (login !== undefined) names.push(bucketName('key of login', login))
    const known = Math.max(...names.map((name) => this.#waitFor(name, nowMs)))
    if (known > 0) return known
    return this.#refuse(await takeTokens(this.#buckets(nowMs), names), nowMs)
  }

  passwordWait(attempt: Attempt, nowMs: number): number {
    return this.#waitFor(callerBucketName(attempt), nowMs)
  }

  async countPassword(attempt: Attempt, nowMs: number): Promise<CountedPassword> {
    if (this.#perMinute === 0) return { waitSeconds: 0, slowSeconds: 0, forgive: () => {} }
    const caller = callerBucketName(attempt)
    const account = attempt.known === undefined ? [bucketName('password of login', attempt.login ?? '')] : []
    const buckets = this.#buckets(nowMs)
    const found = await takeTokens(buckets, [caller, ...account])
    const names = found.flatMap(({ name, taken }) => (taken > 0 ? [name] : []))
    const forgive = () => returnTokens(buckets, names)
    const waitSeconds = this.#refuse(
      found.filter(({ name }) => name === caller),
      nowMs,
    )
    if (waitSeconds === 0) return { waitSeconds, slowSeconds: this.#refuse(found, nowMs), forgive }
    if (names.length > 0) await forgive()
    return { waitSeconds, slowSeconds: 0, forgive: () => {} }
  }

  #buckets(nowMs: number) {
    return { db: this.#db, perMinute: this.#perMinute, nowMs }
  }

  #refuse(buckets: { name: string; taken: number; tokens: number }[], nowMs: number): number {
    const empty = buckets.filter(({ taken }) => taken === 0)
    const waits = empty.map(({ name, tokens }) => {
      const seconds = secondsUntilToken(tokens, this.#perMinute)
      this.#waiting.set(name, nowMs + seconds * 1000)
      return seconds
    })
    return Math.max(0, ...waits)
  }

  #waitFor(name: string, nowMs: number): number {
    return Math.max(0, Math.ceil(((this.#waiting.get(name) ?? 0) - nowMs) / 1000))
  }
}

const callerBucketName = ({ address, known }: Attempt): string =>
  known === undefined ? bucketName('password of address', address) : bucketName('password of known', known)
