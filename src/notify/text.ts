import { kept } from '../util/remember.ts'
import { unseen } from '../util/unseen.ts'

/** Handles foreign text in messages: names, notes and findings from projects, scanners and clusters. */

/** One line of at most `max` UTF-16 units; services count at most that many characters. */
export function clean(text: string, max = 300) {
  // Truncates first, because notes may have megabytes.
  const line = text
    .slice(0, max * 4)
    .toWellFormed()
    .replace(unseen, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return cut(line, max)
}

/** Truncates, but never within a surrogate pair. */
export function cut(text: string, max: number) {
  if (text.length <= max) return text
  const end = text.slice(0, Math.max(0, max - 1))
  return `${/[\ud800-\udbff]$/.test(end) ? end.slice(0, -1) : end}…`
}

const maxAddress = 1500

/** An absolute, normalized web URL without credentials; null for anything else. */
export function cleanUrl(address: string | null): string | null {
  const url = address === null || address.length > maxAddress ? null : URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  // Encodes characters that would end a URL in some format.
  const href = url.href.replace(/[|<>'"`()[\]{}\\^*~@]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return href.length > maxAddress ? null : href
}

const maxNotes = 20_000
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The start of HTML or Markdown notes, as one line of plain text with a dot between its parts. Formats must escape it. */
export function excerpt(notes: string, max: number) {
  const text = notes
    .slice(0, maxNotes)
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<\/(?:p|li|h[1-6]|div|tr|blockquote|pre)\s*>|<br\s*\/?>/gi, '\n')
    .replace(/<[a-z/!][^<>]*>/gi, ' ')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => entities[name]!)
    .replace(/&#39;/g, "'")
  const parts = text.split('\n').map((line) => clean(line.replace(/^[\s#>*-]+/, ''), max))
  return cut(parts.filter((part) => part !== '').join(' \u00b7 '), max)
}

/** Escapes for HTML-like markup, including quotes in attributes. */
export function escapeHtml(text: string) {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Prevents mentions such as `@channel`, with an invisible joiner after the sign. */
export function withoutMentions(text: string) {
  return text.replaceAll('@', '@\u2060')
}

/** Formats a day in a time zone, `2026-11-22`; in UTC by default. */
export function day(seconds: number, timeZone = 'UTC') {
  return dateFormat(timeZone).format(seconds * 1000)
}

/** `2026-11-22 16:05 UTC`. */
export function minute(seconds: number) {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Canadian English formats days like ISO 8601. */
const dateFormat = kept(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
)
