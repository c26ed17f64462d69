import { Cron } from 'croner'
import { ReltError } from '../errors.ts'
import type { UnixSeconds } from '../util/time.ts'
import { spread, spreadPattern } from './spread.ts'

/** Instants at which a job is due. */
export interface Schedule {
  /** The first instant after the given one; undefined when there is none. */
  next(after: UnixSeconds): UnixSeconds | undefined
  /** The last instant at or before the given one; undefined when there is none. */
  latest(until: UnixSeconds): UnixSeconds | undefined
}

export interface CronOptions {
  pattern: string
  /** IANA name. */
  timeZone: string
  /** Machine and job: spreads `H`. */
  seed: string
}

/**
 * Schedule of a cron pattern of five fields. At a change of the clock, a job with one time a day runs once that day: at the
 * end of a gap, and at the first of two equal times. Other jobs follow the clock. Throws `usage` for a pattern that is
 * wrong or never due, and for an unknown zone.
 */
export function cronSchedule({ pattern, timeZone, seed }: CronOptions): Schedule {
  if (!isTimeZone(timeZone)) throw unusable(`there is no time zone ${JSON.stringify(timeZone.slice(0, 60))}`)
  const fixed = spreadPattern(pattern, seed)
  if (fixed === undefined) throw unusable('H must be alone, or H/15, H(0-29) or H(0-29)/10')
  const cron = parseCron(fixed, timeZone)
  return {
    next: (after) => inSeconds(cron.nextRun(new Date(after * 1000))),
    latest: (until) => inSeconds(cron.previousRuns(1, new Date((until + 1) * 1000))[0]),
  }
}

function parseCron(pattern: string, timezone: string): Cron {
  let cron: Cron
  try {
    cron = new Cron(pattern, { mode: '5-part', timezone, paused: true })
  } catch (cause) {
    const reason = (cause as Error).message.replace(/^CronPattern: |:? *-?\d+$/g, '')
    throw unusable(`${JSON.stringify(pattern)} is no cron pattern of five fields: ${reason}`, cause)
  }
  if (!cron.nextRun()) throw unusable('it is never due')
  return cron
}

/** Every so many seconds since the epoch, shifted by an offset that spreads machines and jobs. */
export function intervalSchedule(seconds: number, seed: string): Schedule {
  const offset = spread(seconds, seed, 'every')
  const latest = (until: UnixSeconds) => Math.floor((until - offset) / seconds) * seconds + offset
  return { latest, next: (after) => latest(after) + seconds }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const inSeconds = (date: Date | null | undefined): UnixSeconds | undefined =>
  date ? Math.floor(date.getTime() / 1000) : undefined

function unusable(message: string, cause?: unknown): ReltError {
  return new ReltError('usage', message, { cause })
}
