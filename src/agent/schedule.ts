import { Cron } from 'croner'
import { ReltError } from '../errors.ts'
import { isTimeZone } from '../util/local-time.ts'
import { daySeconds, type UnixSeconds } from '../util/time.ts'
import { LocalTime } from './local-time.ts'
import { spread, spreadPattern } from './spread.ts'

/** Instants at which a job is due. */
export interface Schedule {
  /** The first instant after the given one; undefined if there is none. */
  next(after: UnixSeconds): UnixSeconds | undefined
  /** The last instant at or before the given one; undefined if there is none. */
  latest(until: UnixSeconds): UnixSeconds | undefined
}

export interface CronOptions {
  pattern: string
  /** IANA name of the time zone. */
  timeZone: string
  /** Machine and job: seed for `H`. */
  seed: string
}

/**
 * Schedule of a cron pattern with five fields. An hourly job follows the clock. For all others, each local time of the
 * pattern is due once a day: at the first of two equal times, and at the end of a gap if the time is inside. Throws `usage`
 * for a pattern that is invalid or never due, and for an unknown zone.
 */
export function cronSchedule({ pattern, timeZone, seed }: CronOptions): Schedule {
  const local = toLocalTime(timeZone)
  const fixed = spreadPattern(pattern, seed)
  if (fixed === undefined) throw unusable('H must be alone, or H/15, H(0-29) or H(0-29)/10')
  const walls = scheduleFor(parseCron(fixed, inLocalTime))
  return isEachHour(fixed)
    ? clockSchedule(walls, local, () => parseCron(fixed, { timezone: timeZone }))
    : localSchedule(walls, local)
}

/** Without a zone, croner calculates instead of formatting dates, in a tenth of the time. */
const inLocalTime = { utcOffset: 0 }

const isEachHour = (pattern: string) => {
  const [minute, hour] = pattern.trim().split(/\s+/)
  return hour === '*' || minute === '@hourly'
}

const scheduleFor = (cron: Cron): Schedule => ({
  next: (after) => inSeconds(cron.nextRun(new Date(after * 1000))),
  latest: (until) => inSeconds(cron.previousRuns(1, new Date((until + 1) * 1000))[0]),
})

/**
 * Follows the clock. While the zone's offset is constant, local times suffice; around its changes, and for distant times,
 * croner evaluates the pattern in the zone.
 */
function clockSchedule(walls: Schedule, local: LocalTime, parseInZone: () => Cron): Schedule {
  let zoned: Schedule | undefined
  const find = (verb: 'next' | 'latest') => (from: UnixSeconds) => {
    const offset = local.offsetAt(from)
    const wall = walls[verb](from + offset)
    const at = wall === undefined ? undefined : wall - offset
    // No zone changes its offset twice within a day.
    const isNear = at !== undefined && Math.abs(at - from) < daySeconds
    if (isNear && local.offsetAt(at) === offset) return at
    zoned ??= scheduleFor(parseInZone())
    return zoned[verb](from)
  }
  return { next: find('next'), latest: find('latest') }
}

/** Evaluates the pattern in local time, without a zone, and then finds the instants of these times. */
function localSchedule(walls: Schedule, local: LocalTime): Schedule {
  return {
    next(after) {
      // Local times that repeat, or are in a gap, have an instant that may be in the past.
      for (let wall = walls.next(local.wallAt(after)); wall !== undefined; wall = walls.next(wall)) {
        const at = local.toInstant(wall)
        if (at > after) return at
      }
      return undefined
    },
    latest(until) {
      // While the clock repeats an hour, that whole hour has already been due.
      for (let wall = walls.latest(local.latestWallAt(until)); wall !== undefined; wall = walls.latest(wall - 1)) {
        const at = local.toInstant(wall)
        if (at <= until) return at
      }
      return undefined
    },
  }
}

function parseCron(pattern: string, zone: { timezone: string } | { utcOffset: number }) {
  let cron: Cron
  try {
    cron = new Cron(pattern, { mode: '5-part', ...zone, paused: true })
  } catch (cause) {
    const reason = (cause as Error).message.replace(/^CronPattern: |:? *-?\d+$/g, '')
    throw unusable(`${JSON.stringify(pattern)} is not a cron pattern of five fields: ${reason}`, cause)
  }
  if (!cron.nextRun()) throw unusable('it is never due')
  return cron
}

/** Instants at a fixed number of seconds since the epoch, shifted by an offset that spreads machines and jobs. */
export function intervalSchedule(seconds: number, seed: string): Schedule {
  const offset = spread(seconds, seed, 'every')
  const latest = (until: UnixSeconds) => Math.floor((until - offset) / seconds) * seconds + offset
  return { latest, next: (after) => latest(after) + seconds }
}

function toLocalTime(timeZone: string) {
  if (!isTimeZone(timeZone)) throw unusable(`there is no time zone ${JSON.stringify(timeZone.slice(0, 60))}`)
  return new LocalTime(timeZone)
}

const inSeconds = (date: Date | null | undefined) => (date ? Math.floor(date.getTime() / 1000) : undefined)

function unusable(message: string, cause?: unknown) {
  return new ReltError('usage', message, { cause })
}
