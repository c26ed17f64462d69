import type { UnixSeconds } from '../util/time.ts'

/** A local date and time as the unix seconds that it would have in UTC. */
export type WallSeconds = number

const daySeconds = 86_400
/** The clock never goes back by more. */
const longestBackSeconds = 3 * 3600

/** Local times of a time zone. */
export class LocalTime {
  readonly #format: Intl.DateTimeFormat

  /** Throws `RangeError` for an unknown zone. */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
  }

  wallAt(at: UnixSeconds): WallSeconds {
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
    for (const { type, value } of this.#format.formatToParts(at * 1000)) parts[type] = Number(value)
    const { year = 0, month = 1, day, hour, minute, second } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000
  }

  /** The latest local time that there has been, also while the clock repeats earlier ones. */
  latestWallAt(at: UnixSeconds): WallSeconds {
    const before = at - longestBackSeconds
    return this.wallAt(at) + Math.max(0, this.#offsetAt(before) - this.#offsetAt(at))
  }

  /** The first instant with this local time. A time that a change of the clock leaves out is the instant of the change. */
  instantOf(wall: WallSeconds): UnixSeconds {
    const [before, after] = [this.#offsetAt(wall - daySeconds), this.#offsetAt(wall + daySeconds)]
    const [early, late] = [wall - Math.max(before, after), wall - Math.min(before, after)]
    if (early === late || this.wallAt(early) === wall) return early
    return this.wallAt(late) === wall ? late : this.#changeBetween(early, late)
  }

  #offsetAt(at: UnixSeconds): number {
    return this.wallAt(at) - at
  }

  /** The first instant with the later offset. */
  #changeBetween(from: UnixSeconds, to: UnixSeconds): UnixSeconds {
    const offset = this.#offsetAt(from)
    let [low, high] = [from, to]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (this.#offsetAt(middle) === offset) low = middle
      else high = middle
    }
    return high
  }
}
