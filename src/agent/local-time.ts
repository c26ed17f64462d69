import { type WallSeconds, wallAt } from '../util/local-time.ts'
import { daySeconds, type UnixSeconds } from '../util/time.ts'

/** The largest step by which a time zone's clock goes back. */
const longestBackSeconds = 3 * 3600

/** Local times of a time zone. */
export class LocalTime {
  readonly #timeZone: string

  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  wallAt(at: UnixSeconds) {
    return wallAt(this.#timeZone, at)
  }

  /** The latest local time so far, even while the clock repeats earlier ones. */
  latestWallAt(at: UnixSeconds) {
    return this.wallAt(at) + Math.max(0, this.offsetAt(at - longestBackSeconds) - this.offsetAt(at))
  }

  /** The first instant with this local time. A time skipped by a clock change maps to the instant of the change. */
  toInstant(wall: WallSeconds): UnixSeconds {
    const [before, after] = [this.offsetAt(wall - daySeconds), this.offsetAt(wall + daySeconds)]
    const [early, late] = [wall - Math.max(before, after), wall - Math.min(before, after)]
    if (early === late || this.wallAt(early) === wall) return early
    return this.wallAt(late) === wall ? late : this.#changeBetween(early, late)
  }

  /** Seconds ahead of UTC. */
  offsetAt(at: UnixSeconds) {
    return this.wallAt(at) - at
  }

  /** The first instant with the later offset. */
  #changeBetween(from: UnixSeconds, to: UnixSeconds) {
    const offset = this.offsetAt(from)
    let [low, high] = [from, to]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (this.offsetAt(middle) === offset) low = middle
      else high = middle
    }
    return high
  }
}
