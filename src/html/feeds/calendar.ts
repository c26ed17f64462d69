import { oneLine } from '../../ci/text.ts'

export interface CalendarDay {
  /** Unique and stable. */
  uid: string
  /** `YYYY-MM-DD`. */
  date: string
  title: string
  description: string
  url: string
}

/** A calendar without any component is invalid, and some readers reject it. */
const someComponent = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
]

/** An iCalendar document (RFC 5545) of whole days; `madeAt` as `YYYY-MM-DD HH:MM:SS`, UTC. */
export function renderCalendar(name: string, days: CalendarDay[], madeAt: string): string {
  const stamp = `${madeAt.replace(/[-:]/g, '').replace(' ', 'T')}Z`
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//relt//relt//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escapeText(name)}`,
    ...(days.length === 0 ? someComponent : []),
    ...days.flatMap(({ uid, date, title, description, url }) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTAMP:${stamp}`,
      `DTSTART;VALUE=DATE:${date.replaceAll('-', '')}`,
      `SUMMARY:${escapeText(title)}`,
      `DESCRIPTION:${escapeText(description)}`,
      `URL:${url}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

const escapeText = (text: string): string => oneLine(text).replace(/[\\;,]/g, '\\$&')

/** Lines have at most 75 bytes; a continuation line starts with a space. */
function fold(line: string): string {
  const parts: string[] = []
  let part = ''
  for (const letter of line) {
    if (Buffer.byteLength(part + letter) > 74) {
      parts.push(part)
      part = ''
    }
    part += letter
  }
  return [...parts, part].join('\r\n ')
}
