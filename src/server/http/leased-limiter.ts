import type { Db } from '../../db/open.ts'
import { bucketName, takeTokens } from '../../store/accounts/token-bucket.ts'
import { RecentValues } from '../../util/recent-values.ts'
import { type Limiter, mostDebtMinutes, secondsUntilToken } from './rate-limit.ts'

interface Lease {
  tokens: number
  /** The shared bucket is empty until this time, in milliseconds of the caller's clock. */
  emptyUntil: number
  usedAt: number
  asking: Promise<void> | undefined
}

/** A server leases this fraction of a minute's tokens at once, so that most requests need no statement. */
const leasesPerMinute = 20
/** An older lease belongs to another minute. */
const leaseMs = 60_000
const maxKeys = 20_000

/**
 * Rate limits of all servers on one PostgreSQL database: token buckets in the database, from which each server leases
 * tokens.
 */
export class LeasedLimiter implements Limiter {
  readonly #db: Db
  readonly #kind: string
  #perMinute: number
  readonly #leases = new RecentValues<Lease>(maxKeys)

  /** `kind` separates the buckets of different limits. */
  constructor(db: Db, kind: string, perMinute: number) {
    this.#db = db
    this.#kind = kind
    this.#perMinute = perMinute
  }

  setPerMinute(perMinute: number): void {
    this.#perMinute = perMinute
  }

  takeNow(key: string, nowMs: number): boolean {
    if (this.#perMinute === 0) return true
    const lease = this.#leaseFor(key, nowMs)
    if (lease.tokens < 1) return false
    lease.tokens -= 1
    // Leases the next tokens in advance.
    if (lease.tokens < this.#size / 2 && nowMs >= lease.emptyUntil) void this.#ask(key, lease, nowMs)
    return true
  }

  /** If the lease fails, the request passes, because its own queries will fail too. */
  take(key: string, nowMs: number): boolean | Promise<boolean> {
    if (this.takeNow(key, nowMs)) return true
    return nowMs < this.#leaseFor(key, nowMs).emptyUntil ? false : this.#askAndTake(key, nowMs)
  }

  secondsUntilNext(key: string, nowMs: number): number {
    const { tokens, emptyUntil } = this.#leaseFor(key, nowMs)
    return this.#perMinute === 0 || tokens >= 1 ? 0 : Math.max(0, Math.ceil((emptyUntil - nowMs) / 1000))
  }

  /** The debt is kept here until the shared bucket has paid it. */
  charge(key: string, tokens: number, nowMs: number): void {
    if (this.#perMinute === 0) return
    const lease = this.#leaseFor(key, nowMs)
    lease.tokens = Math.max(lease.tokens - tokens, -mostDebtMinutes * this.#perMinute)
    if (lease.tokens < 0) void this.#ask(key, lease, nowMs)
  }

  get #size(): number {
    return Math.max(1, Math.floor(this.#perMinute / leasesPerMinute))
  }

  async #askAndTake(key: string, nowMs: number): Promise<boolean> {
    const lease = this.#leaseFor(key, nowMs)
    for (;;) {
      try {
        await this.#ask(key, lease, nowMs)
      } catch {
        return true
      }
      if (lease.tokens >= 1) {
        lease.tokens -= 1
        return true
      }
      // Otherwise others have used up the tokens.
      if (nowMs < lease.emptyUntil) return false
    }
  }

  #ask(key: string, lease: Lease, nowMs: number): Promise<void> {
    lease.asking ??= this.#fill(key, lease, nowMs).finally(() => {
      lease.asking = undefined
    })
    lease.asking.catch(() => {})
    return lease.asking
  }

  async #fill(key: string, lease: Lease, nowMs: number): Promise<void> {
    const buckets = { db: this.#db, perMinute: this.#perMinute, nowMs }
    const wanted = this.#size + Math.max(0, Math.ceil(-lease.tokens))
    const [found] = await takeTokens(buckets, [bucketName(this.#kind, key)], wanted)
    const { taken, tokens } = found!
    lease.tokens += taken
    const owed = Math.max(0, -lease.tokens)
    if (lease.tokens < 1) lease.emptyUntil = nowMs + secondsUntilToken(tokens - owed, this.#perMinute) * 1000
  }

  #leaseFor(key: string, nowMs: number): Lease {
    const known = this.#leases.get(key)
    const isOwing = known !== undefined && known.tokens < 0
    const isCurrent = known && (isOwing || known.asking !== undefined || nowMs - known.usedAt < leaseMs)
    const lease = isCurrent ? known : { tokens: 0, emptyUntil: 0, usedAt: nowMs, asking: undefined }
    lease.usedAt = nowMs
    if (!isCurrent) this.#leases.set(key, lease)
    return lease
  }
}
