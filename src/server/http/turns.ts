import { isShared } from '../../db/kind.ts'
import type { Db } from '../../db/open.ts'
import { ReltError } from '../../errors.ts'
import { usualFailuresPerMinute } from './failed-sign-ins.ts'
import { type FailureCount, OwnFailures, SharedFailures } from './failure-count.ts'
import { LeasedLimiter } from './leased-limiter.ts'
import { type Limiter, RateLimiter, type RateLimits } from './rate-limit.ts'
import type { HttpContext, RequestState } from './state.ts'

/**
 * Rate limits of callers' requests, by account, else by address. Uses the database if several servers share it, else memory.
 * `clock`: milliseconds.
 */
export function createTurns(db: Db, { user, address }: RateLimits, clock: () => number) {
  const [perUser, perAddress] = isShared(db)
    ? [new LeasedLimiter(db, 'requests of user', user), new LeasedLimiter(db, 'requests of address', address)]
    : [new RateLimiter(user), new RateLimiter(address)]
  const bucketFor = ({ user, address }: Pick<RequestState, 'user' | 'address'>): [Limiter, key: string] =>
    user ? [perUser, String(user.id)] : [perAddress, address]
  return {
    perAddress,
    /** Throws `rate_limited`. `caller`: key to use instead of the address. */
    async take(c: HttpContext, caller?: string): Promise<void> {
      const { user, address } = c.get('state')
      const [limiter, key] = bucketFor({ user, address: caller ?? address })
      const taken = limiter.take(key, clock())
      if (taken === true || (await taken)) return
      const retryAfter = limiter.secondsUntilNext(key, clock())
      throw new ReltError('rate_limited', `Too many requests. Retry in ${retryAfter} s.`, { retryAfter })
    },
    /** Charges additional requests for an expensive one. */
    charge(state: RequestState, tokens: number): void {
      const [limiter, key] = bucketFor(state)
      limiter.charge(key, tokens, clock())
    },
    /** Applies to later requests. */
    setPerMinute(limits: RateLimits): void {
      perUser.setPerMinute(limits.user)
      perAddress.setPerMinute(limits.address)
    },
  }
}

/** Limit of failed sign-ins per minute, counted in the same place; 0 for no limit. */
export function createFailureCount(db: Db, perMinute = usualFailuresPerMinute): FailureCount {
  return isShared(db) ? new SharedFailures(db, perMinute) : new OwnFailures(perMinute)
}
