import { describe, expect, test } from 'vitest'
import { type DecideOptions, decide } from '../../src/agent/decide.ts'
import { cronSchedule } from '../../src/agent/schedule.ts'

const at = (text: string) => Date.parse(`2026-11-${text}Z`) / 1000

function decideAt(pattern: string, watermark: string, now: string, options: Partial<DecideOptions> = {}) {
  const schedule = cronSchedule({ pattern, timeZone: 'UTC', seed: '' })
  const usual = { schedule, delayFor: () => 0, onMissed: 'latest', maxLate: 12 * 3600 } as const
  return decide({ ...usual, ...options }, at(watermark), at(now))
}

describe('an occurrence', () => {
  test('starts at its instant and not before', () => {
    expect(decideAt('0 3 * * *', '21T03:00', '22T02:59:59')).toEqual({ watermark: at('21T03:00') })
    expect(decideAt('0 3 * * *', '21T03:00', '22T03:00')).toEqual({
      watermark: at('22T03:00'),
      due: { at: at('22T03:00'), lateSeconds: 0 },
    })
  })

  test('starts late within the time allowed, and says by how much', () => {
    expect(decideAt('0 3 * * *', '21T03:00', '22T14:00').due).toEqual({ at: at('22T03:00'), lateSeconds: 11 * 3600 })
  })

  test('is missed beyond the time allowed', () => {
    const { due, missed, watermark } = decideAt('0 3 * * *', '21T03:00', '22T15:00:01')
    expect({ due, missed, watermark }).toEqual({
      watermark: at('22T03:00'),
      missed: { from: at('22T03:00'), to: at('22T03:00'), count: 1, reason: 'late' },
    })
  })

  test('is missed when late ones are skipped', () => {
    expect(decideAt('0 3 * * *', '21T03:00', '22T03:02', { onMissed: 'skip' }).due).toBeUndefined()
    expect(decideAt('0 3 * * *', '21T03:00', '22T03:00:40', { onMissed: 'skip' }).due?.at).toBe(at('22T03:00'))
  })

  test('starts after its delay', () => {
    const delayFor = () => 600
    expect(decideAt('0 3 * * *', '21T03:00', '22T03:09:59', { delayFor }).due).toBeUndefined()
    expect(decideAt('0 3 * * *', '21T03:00', '22T03:10', { delayFor }).due).toEqual({
      at: at('22T03:00'),
      lateSeconds: 0,
    })
  })

  test('is not evaluated again when the clock goes back', () => {
    expect(decideAt('*/5 * * * *', '22T12:00', '22T11:30')).toEqual({ watermark: at('22T12:00') })
  })

  test('of a clock that was wrong by more than a day does not stop the job', () => {
    expect(decideAt('*/5 * * * *', '25T12:00', '22T11:30')).toEqual({ watermark: at('22T11:30') })
  })
})

test('after thirty days asleep a job of each minute catches up once, without counting everything', () => {
  const decision = decideAt('* * * * *', '01T00:00', '30T23:59')
  expect(decision.due).toEqual({ at: at('30T23:59'), lateSeconds: 0 })
  expect(decision.missed).toEqual({ from: at('01T00:01'), to: at('30T23:58'), count: undefined, reason: 'replaced' })
  expect(decideAt('* * * * *', '30T23:59', '30T23:59').due).toBeUndefined()
})
