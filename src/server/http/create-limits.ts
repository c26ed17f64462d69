import { isShared } from '../../db/kind.ts'
import type { Db } from '../../db/open.ts'
import { usualFailuresPerMinute } from './failed-sign-ins.ts'
import { type FailureCount, OwnFailures, SharedFailures } from './failure-count.ts'
import { LeasedLimiter } from './leased-limiter.ts'
import { type Limiter, RateLimiter, type RateLimits } from './rate-limit.ts'

interface Limits {
  perUser: Limiter
  perAddress: Limiter
  failures: FailureCount
}

/** Counted in the database where several servers share it, else in memory. `failures`: 0 for no limit. */
export function createLimits(db: Db, { user, address }: RateLimits, failures = usualFailuresPerMinute): Limits {
  return isShared(db)
    ? {
        perUser: new LeasedLimiter(db, 'requests of user', user),
        perAddress: new LeasedLimiter(db, 'requests of address', address),
        failures: new SharedFailures(db, failures),
      }
    : {
        perUser: new RateLimiter(user),
        perAddress: new RateLimiter(address),
        failures: new OwnFailures(failures),
      }
}
