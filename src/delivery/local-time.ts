import type { UnixSeconds } from '../util/time.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** Zones change their offset at whole quarters of an hour. */
const stepSeconds = 900
const known = new Map<string, Map<number, number>>()
const mostKnown = 50_000

/** Minutes that clocks of the zone are ahead of UTC. Offsets with seconds, which ended decades ago, are rounded. */
export function offsetMinutes(timeZone: string, at: UnixSeconds): number {
  if (timeZone === 'UTC') return 0
  const offsets = known.get(timeZone) ?? new Map<number, number>()
  known.set(timeZone, offsets)
  const step = Math.floor(at / stepSeconds)
  const found = offsets.get(step)
  if (found !== undefined) return found
  if (offsets.size >= mostKnown) offsets.clear()
  const offset = readOffset(timeZone, step * stepSeconds)
  offsets.set(step, offset)
  return offset
}

/** By formatting, which takes a thousand times as long as a look into the map. */
function readOffset(timeZone: string, at: UnixSeconds): number {
  const parts = formatOf(timeZone).formatToParts(at * 1000)
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)!.value)
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'))
  return Math.round((local / 1000 - at) / 60)
}

/** Minutes since midnight on the clocks of the zone. */
export function minuteOfDay(timeZone: string, at: UnixSeconds): number {
  return modulo(Math.floor(at / 60) + offsetMinutes(timeZone, at), 1440)
}

export const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor

/** Throws `RangeError` for a zone that does not exist. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const opened = formats.get(timeZone)
  if (opened) return opened
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}
