import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ReltError } from '../../src/errors.ts'
import { RateLimiter, readRateLimits } from '../../src/server/http/rate-limit.ts'

const take = (limiter: RateLimiter, times: number, at: number, key = 'a') =>
  Array.from({ length: times }, () => limiter.take(key, at)).filter(Boolean).length

describe('a rate limiter', () => {
  test('lets a minute of requests pass at once, and no more', () => {
    expect(take(new RateLimiter(60), 100, 0)).toBe(60)
  })

  test('fills up again over a minute, and not beyond', () => {
    const limiter = new RateLimiter(60)
    take(limiter, 60, 0)
    expect(take(limiter, 100, 10_000)).toBe(10)
    expect(take(limiter, 100, 10_000_000)).toBe(60)
  })

  test('counts each caller alone', () => {
    const limiter = new RateLimiter(5)
    take(limiter, 5, 0, 'a')
    expect(limiter.take('b', 0)).toBe(true)
    expect(limiter.take('a', 0)).toBe(false)
  })

  test('is off at 0', () => {
    const limiter = new RateLimiter(0)
    expect(take(limiter, 10_000, 0)).toBe(10_000)
    expect(limiter.size).toBe(0)
  })

  test('tells without taking, and gives back', () => {
    const limiter = new RateLimiter(1)
    expect(limiter.hasLeft('a', 0)).toBe(true)
    expect(limiter.take('a', 0)).toBe(true)
    expect(limiter.hasLeft('a', 0)).toBe(false)
    limiter.giveBack('a', 0)
    limiter.giveBack('a', 0)
    expect(take(limiter, 5, 0)).toBe(1)
  })

  test('remembers a bounded number of callers, those that came last', () => {
    const limiter = new RateLimiter(1)
    limiter.take('often', 0)
    for (let i = 0; i < 50_000; i++) {
      limiter.take(`caller ${i}`, 0)
      if (i % 1000 === 0) expect(limiter.take('often', 0)).toBe(false)
    }
    expect(limiter.size).toBeLessThanOrEqual(20_000)
  })

  test('never lets more pass than a burst and the time allow, whatever the clock does', () => {
    const steps = fc.array(fc.integer({ min: -5000, max: 5000 }), { maxLength: 200 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), steps, (perMinute, deltas) => {
        const limiter = new RateLimiter(perMinute)
        let at = 0
        let forward = 0
        let passed = 0
        for (const delta of deltas) {
          at += delta
          forward += Math.max(0, delta)
          if (limiter.take('a', at)) passed++
        }
        expect(passed).toBeLessThanOrEqual(perMinute + (forward * perMinute) / 60_000 + 1e-6)
      }),
    )
  })
})

describe('the limits of the environment', () => {
  test('are 600 and 300 when nothing is said', () => {
    expect(readRateLimits({})).toEqual({ user: 600, address: 300 })
    expect(readRateLimits({ RELT_RATE_LIMIT_USER: '0', RELT_RATE_LIMIT_ADDRESS: '7' })).toEqual({ user: 0, address: 7 })
  })

  test.each(['-1', 'many', '1.5', '1e3'])('are no such thing as %s', (value) => {
    expect(() => readRateLimits({ RELT_RATE_LIMIT_USER: value })).toThrow(ReltError)
  })
})
