/**
 * Instants of a cron pattern, found by looking at each day and minute, without the library and the code that the agent uses.
 * Fields are numbers, `*`, lists, ranges, steps and `L`; weekdays may have `5L` and `1#2`.
 */

/** A time in which the zone has one offset from UTC. All values are seconds. */
interface Span {
  from: number
  to: number
  offset: number
}

const minuteSeconds = 60
const daySeconds = 86_400

/** Offset of the zone from UTC in seconds, by asking for the local time of an instant. */
function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  const parts = Object.fromEntries(format.formatToParts(at * 1000).map(({ type, value }) => [type, Number(value)]))
  const { year, month, day, hour, minute, second } = parts as Record<string, number>
  return Date.UTC(year!, month! - 1, day!, hour! % 24, minute!, second!) / 1000 - at
}

/** Each span of one offset between two instants: changes are found by halving. */
export function toSpans(zone: string, from: number, to: number): Span[] {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  const spans: Span[] = []
  let start = from
  let offset = offsetAt(format, from)
  for (let at = from; at < to; at += daySeconds) {
    const end = Math.min(at + daySeconds, to)
    if (offsetAt(format, end) === offset) continue
    let [low, high] = [at, end]
    while (high - low > minuteSeconds) {
      const middle = Math.floor((low + high) / 2 / minuteSeconds) * minuteSeconds
      if (offsetAt(format, middle) === offset) low = middle
      else high = middle
    }
    spans.push({ from: start, to: high, offset })
    start = high
    offset = offsetAt(format, high)
  }
  return [...spans, { from: start, to, offset }]
}

function toValues(field: string, [first, last]: [number, number]): Set<number> {
  const values = new Set<number>()
  for (const item of field.split(',')) {
    const [, range = '', step = '1'] = /^([^/]+)(?:\/(\d+))?$/.exec(item)!
    const [from, to] = range === '*' ? [first, last] : range.split('-').map(Number)
    for (let value = from!; value <= (to ?? from!); value += Number(step)) values.add(value)
  }
  return values
}

/** A local day, as the seconds of its midnight in UTC. */
function isDay(day: string, weekday: string, at: number): boolean {
  const date = new Date(at * 1000)
  const [dayOfMonth, dayOfWeek] = [date.getUTCDate(), date.getUTCDay()]
  const isIn = (days: number) => new Date((at + days * daySeconds) * 1000).getUTCMonth() === date.getUTCMonth()
  const isDayOfMonth = day
    .split(',')
    .some((each) => (each === 'L' ? !isIn(1) : toValues(each, [1, 31]).has(dayOfMonth)))
  const isWeekday = weekday.split(',').some((each) => {
    const [, number, special] = /^(\d)(L|#\d)$/.exec(each) ?? []
    if (special === undefined) return toValues(each, [0, 6]).has(dayOfWeek) || (each === '7' && dayOfWeek === 0)
    if (Number(number) % 7 !== dayOfWeek) return false
    return special === 'L' ? !isIn(7) : Math.ceil(dayOfMonth / 7) === Number(special.slice(1))
  })
  // As in Vixie cron: with both days restricted, either of them suffices.
  return day !== '*' && weekday !== '*' ? isDayOfMonth || isWeekday : isDayOfMonth && isWeekday
}

/** Every instant from `from` to before `to`; both are whole minutes in unix seconds. */
export function enumerate(pattern: string, zone: string, from: number, to: number): number[] {
  const [minute, hour, day, month, weekday] = pattern.split(' ') as [string, string, string, string, string]
  const [minutes, hours, months] = [toValues(minute, [0, 59]), toValues(hour, [0, 23]), toValues(month, [1, 12])]
  const spans = toSpans(zone, from - 3 * daySeconds, to + 3 * daySeconds)
  const found: number[] = []
  const isNear = (midnight: number) => (span: Span) =>
    span.to > midnight - 2 * daySeconds && span.from < midnight + 3 * daySeconds
  const firstDay = Math.floor(from / daySeconds - 2) * daySeconds
  for (let midnight = firstDay; midnight < to + 2 * daySeconds; midnight += daySeconds) {
    if (!months.has(new Date(midnight * 1000).getUTCMonth() + 1) || !isDay(day, weekday, midnight)) continue
    const near = spans.filter(isNear(midnight))
    for (const ofHour of hours) {
      for (const ofMinute of minutes) {
        const wall = midnight + ofHour * 3600 + ofMinute * minuteSeconds
        if (near.length === 1) {
          found.push(wall - near[0]!.offset)
          continue
        }
        const all = near.map(({ offset, ...span }) => ({ at: wall - offset, ...span }))
        const real = all.filter(({ at, from, to }) => at >= from && at < to).map(({ at }) => at)
        // A job of every hour follows the clock; others have the first of equal times, and the end of a gap.
        if (hour === '*') found.push(...real)
        else found.push(real[0] ?? all.find(({ at, from }) => at < from)!.from)
      }
    }
  }
  const sorted = found.sort((a, b) => a - b)
  return sorted.filter((at, index) => at >= from && at < to && at !== sorted[index - 1])
}
