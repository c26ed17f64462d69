/**
 * Instants of a cron pattern, found by looking at each minute, without the library that the agent uses. Fields are numbers,
 * `*`, lists, ranges and steps.
 */

interface Day {
  day: number
  month: number
  weekday: number
}

const minuteSeconds = 60

/** Offset of the zone from UTC in seconds, by asking for the local time of an instant. */
function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  const parts = Object.fromEntries(format.formatToParts(at * 1000).map(({ type, value }) => [type, Number(value)]))
  const { year, month, day, hour, minute, second } = parts as Record<string, number>
  return Date.UTC(year!, month! - 1, day!, hour! % 24, minute!, second!) / 1000 - at
}

/** Each span of one offset between two instants: changes are found by halving. */
function spansOf(zone: string, from: number, to: number): { from: number; to: number; offset: number }[] {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  const spans: { from: number; to: number; offset: number }[] = []
  let start = from
  let offset = offsetAt(format, from)
  for (let at = from; at < to; at += 86_400) {
    const end = Math.min(at + 86_400, to)
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

function valuesOf(field: string, [first, last]: [number, number]): Set<number> {
  const values = new Set<number>()
  for (const item of field.split(',')) {
    const [, range = '', step = '1'] = /^([^/]+)(?:\/(\d+))?$/.exec(item)!
    const [from, to] = range === '*' ? [first, last] : range.split('-').map(Number)
    for (let value = from!; value <= (to ?? from!); value += Number(step)) values.add(value)
  }
  return values
}

/** Every instant from `from` to before `to`; both are whole minutes in unix seconds. */
export function enumerate(pattern: string, zone: string, from: number, to: number): number[] {
  const fields = pattern.split(' ')
  const bounds: [number, number][] = [
    [0, 59],
    [0, 23],
    [1, 31],
    [1, 12],
    [0, 7],
  ]
  const [minutes, hours, days, months, weekdays] = fields.map((field, index) => valuesOf(field, bounds[index]!))
  if (weekdays!.has(7)) weekdays!.add(0)
  // As in Vixie cron: with both days restricted, either of them suffices.
  const isDay = ({ day, weekday }: Day) =>
    fields[2] !== '*' && fields[4] !== '*'
      ? days!.has(day) || weekdays!.has(weekday)
      : days!.has(day) && weekdays!.has(weekday)
  const isDate = (day: Day) => months!.has(day.month) && isDay(day)
  const isOnceADay = /^\d+$/.test(fields[0]!) && /^\d+$/.test(fields[1]!)
  const wanted = Number(fields[1]) * 60 + Number(fields[0])
  const found: number[] = []
  let doneDate = ''
  let lastOffset: number | undefined
  for (const { offset, ...span } of spansOf(zone, from - 172_800, to)) {
    for (let at = span.from; at < span.to; at += minuteSeconds) {
      const local = new Date((at + offset) * 1000)
      const ofDay = local.getUTCHours() * 60 + local.getUTCMinutes()
      const matches = minutes!.has(ofDay % 60) && hours!.has(Math.floor(ofDay / 60))
      // The clock went forward here: the times between were left out.
      const before = at === span.from && lastOffset !== undefined ? new Date((at - 60 + lastOffset) * 1000) : undefined
      const isJump = isOnceADay && before !== undefined && before.getTime() < local.getTime() - 60_000
      if (!matches && !isJump) continue
      const date = local.toISOString().slice(0, 10)
      const day = { day: local.getUTCDate(), month: local.getUTCMonth() + 1, weekday: local.getUTCDay() }
      if (!isDate(day) || at < from) continue
      if (!isOnceADay) found.push(at)
      else {
        const reached =
          before?.toISOString().slice(0, 10) === date ? before.getUTCHours() * 60 + before.getUTCMinutes() : -1
        const isLeftOut = isJump && wanted > reached && wanted < ofDay
        if ((matches || isLeftOut) && doneDate !== date) found.push(at)
        if (matches || isLeftOut) doneDate = date
      }
    }
    lastOffset = offset
  }
  return found
}
