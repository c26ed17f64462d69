import type { Env } from '../../config/env.ts'
import { ReltError } from '../../errors.ts'
import { RecentValues } from '../../util/recent-values.ts'

interface Bucket {
  tokens: number
  /** Milliseconds of the caller's clock. */
  at: number
}

/** Number of keys to remember. Beyond it, the least recently used key starts with a full bucket again. */
const maxKeys = 20_000
const minuteMs = 60_000
/** Longest time to pay off a debt. */
const mostDebtMinutes = 10

/** Token buckets in memory: each key has a capacity of `perMinute`, refilled within a minute. 0 is no limit. */
export class RateLimiter {
  #perMinute: number
  readonly #buckets = new RecentValues<Bucket>(maxKeys)

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  setPerMinute(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** Takes a token; false if none is left. */
  take(key: string, nowMs: number) {
    if (this.#perMinute === 0) return true
    const bucket = this.#refill(key, nowMs)
    if (bucket.tokens < 1) return false
    bucket.tokens -= 1
    return true
  }

  /** Whether `take` would succeed. */
  hasLeft(key: string, nowMs: number) {
    return this.#perMinute === 0 || !this.#buckets.get(key) || this.#refill(key, nowMs).tokens >= 1
  }

  /** Whole seconds until `take` succeeds again. */
  secondsUntilNext(key: string, nowMs: number) {
    if (this.hasLeft(key, nowMs)) return 0
    return Math.ceil(((1 - this.#refill(key, nowMs).tokens) * 60) / this.#perMinute)
  }

  /** Takes this many tokens, even more than available: later requests wait longer. */
  charge(key: string, tokens: number, nowMs: number) {
    if (this.#perMinute === 0) return
    const bucket = this.#refill(key, nowMs)
    bucket.tokens = Math.max(bucket.tokens - tokens, -mostDebtMinutes * this.#perMinute)
  }

  giveBack(key: string, nowMs: number) {
    if (this.#perMinute === 0) return
    const bucket = this.#refill(key, nowMs)
    bucket.tokens = Math.min(this.#perMinute, bucket.tokens + 1)
  }

  get size() {
    return this.#buckets.size
  }

  #refill(key: string, nowMs: number) {
    const known = this.#buckets.get(key)
    const bucket = known ?? { tokens: this.#perMinute, at: nowMs }
    if (!known) this.#buckets.set(key, bucket)
    const passedMs = Math.max(0, nowMs - bucket.at)
    bucket.tokens = Math.min(this.#perMinute, bucket.tokens + (passedMs * this.#perMinute) / minuteMs)
    bucket.at = nowMs
    return bucket
  }
}

/** Limits in requests per minute. */
export interface RateLimits {
  user: number
  address: number
}

/** Reads `RELT_RATE_LIMIT_USER` and `RELT_RATE_LIMIT_ADDRESS`, requests per minute, 0 for no limit. Throws `usage`. */
export function readRateLimits(env: Env): RateLimits {
  return {
    user: readWholeNumber(env, 'RELT_RATE_LIMIT_USER', 600),
    address: readWholeNumber(env, 'RELT_RATE_LIMIT_ADDRESS', 300),
  }
}

/** Reads a whole number; 0 means no limit. Throws `usage`. */
export function readWholeNumber(env: Env, name: string, usual: number) {
  const text = env[name]?.trim()
  if (!text) return usual
  if (!/^\d{1,9}$/.test(text)) {
    throw new ReltError('usage', `${name} is not a whole number: "${text}".`, {
      hint: 'Use a whole number, or 0 for no limit.',
    })
  }
  return Number(text)
}
