import { ReltError } from '../../errors.ts'
import { RateLimiter, type RateLimits } from './rate-limit.ts'
import type { HttpContext, RequestState } from './state.ts'

/** This server's rate limits of callers' requests, by account, else by address. `clock`: milliseconds. */
export function createTurns({ user, address }: RateLimits, clock: () => number) {
  const [perUser, perAddress] = [new RateLimiter(user), new RateLimiter(address)]
  return {
    perAddress,
    /** Throws `rate_limited`. `caller`: key to use instead of the address. */
    take(c: HttpContext, caller?: string) {
      const state = c.get('state')
      const [limiter, key] = state.user ? [perUser, String(state.user.id)] : [perAddress, caller ?? state.address]
      if (limiter.take(key, clock())) return
      const retryAfter = limiter.secondsUntilNext(key, clock())
      throw new ReltError('rate_limited', `Too many requests. Retry in ${retryAfter} s.`, { retryAfter })
    },
    /** Charges additional requests for an expensive one. */
    charge(state: RequestState, tokens: number) {
      if (state.user) perUser.charge(String(state.user.id), tokens, clock())
      else perAddress.charge(state.address, tokens, clock())
    },
    /** Applies to later requests. */
    setPerMinute(limits: RateLimits) {
      perUser.setPerMinute(limits.user)
      perAddress.setPerMinute(limits.address)
    },
  }
}
