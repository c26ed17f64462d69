import { daySeconds, type UnixSeconds } from '../util/time.ts'
import type { Schedule } from './schedule.ts'

export interface DecideOptions {
  schedule: Schedule
  /** Delay of the start after an instant, in seconds. */
  delayFor: (at: UnixSeconds) => number
  /** Whether the newest missed occurrence is made up for. */
  onMissed: 'latest' | 'skip'
  /** The longest delay with which an occurrence still starts, in seconds. */
  maxLate: number
}

/** Occurrences between two instants, both inclusive. */
export interface MissedOccurrences {
  from: UnixSeconds
  to: UnixSeconds
  /** Undefined for more than `maxCounted`. */
  count: number | undefined
  reason: 'late' | 'replaced'
}

export interface Decision {
  /** Every occurrence up to this instant has been evaluated. */
  watermark: UnixSeconds
  /** The occurrence that starts now. */
  due?: { at: UnixSeconds; lateSeconds: number } | undefined
  missed?: MissedOccurrences | undefined
}

/** An occurrence that starts within this time is on time. */
const graceSeconds = 60

/**
 * Limits counting: evaluating a cron pattern costs 20 µs, and a job that runs every minute misses 43,200 occurrences in a
 * month.
 */
export const maxCounted = 100

/** A watermark this far in the future was set by a wrong clock. */
export const maxAheadSeconds = daySeconds

/**
 * Evaluates the occurrences after the watermark. Of the due ones, only the newest can start. The others are missed, and so
 * is the newest if it is too late.
 */
export function decide(options: DecideOptions, watermark: UnixSeconds, now: UnixSeconds): Decision {
  const { schedule, delayFor, onMissed, maxLate } = options
  if (watermark > now + maxAheadSeconds) return { watermark: now }
  let newest = schedule.latest(now)
  while (newest !== undefined && newest > watermark && newest + delayFor(newest) > now)
    newest = schedule.latest(newest - 1)
  if (newest === undefined || newest <= watermark) return { watermark }
  const lateSeconds = Math.max(0, now - newest - delayFor(newest))
  const starts = lateSeconds <= (onMissed === 'latest' ? Math.max(maxLate, graceSeconds) : graceSeconds)
  const last = starts ? schedule.latest(newest - 1) : newest
  const missed =
    last !== undefined && last > watermark
      ? missedOf(schedule, watermark, last, starts ? 'replaced' : 'late')
      : undefined
  const due = starts ? { at: newest, lateSeconds: lateSeconds <= graceSeconds ? 0 : lateSeconds } : undefined
  return { watermark: newest, due, missed }
}

function missedOf(schedule: Schedule, watermark: UnixSeconds, to: UnixSeconds, reason: MissedOccurrences['reason']) {
  const from = schedule.next(watermark) ?? to
  let count = 1
  for (let at = from; at < to && count <= maxCounted; count++) at = schedule.next(at) ?? to
  return { from, to, count: count > maxCounted ? undefined : count, reason }
}
