/** Times are unix seconds inside, `YYYY-MM-DD HH:MM:SS` (UTC) on the wire. */

const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i

/** Reads the wire form or ISO 8601; a time without a zone is UTC. Undefined when it is neither, or no real date. */
export function parseTimestamp(value: string): number | undefined {
  const match = pattern.exec(value.trim())
  if (!match) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', zone] = match
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (date.getUTCMonth() !== Number(month) - 1 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) {
    return undefined
  }
  const clock = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  return date.getTime() / 1000 + clock - zoneOffsetSeconds(zone)
}

export function formatTimestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

function zoneOffsetSeconds(zone: string | undefined): number {
  if (!zone || zone.toUpperCase() === 'Z') return 0
  const digits = zone.slice(1).replace(':', '')
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2)) * 60
  return zone.startsWith('-') ? -seconds : seconds
}
