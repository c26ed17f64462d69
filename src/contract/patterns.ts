/**
 * Regular expressions for the OpenAPI document, in the syntax shared by ECMAScript, Python and Rust. A pattern may be looser
 * than its check, never stricter.
 */

const controls = String.raw`\u0000-\u001f\u007f-\u009f`
const blanks = String.raw` \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`

/** Removes the anchors, to embed a pattern in another. */
export const inner = (pattern: string) => pattern.replace(/^\^|\$$/g, '')
/** Allows whitespace around the text, which is trimmed. */
export const padded = (text: string) => `^[${blanks}\\t-\\r]*(${text})[${blanks}\\t-\\r]*$`

/** Allows spaces around the text within one line. */
export const spaced = (text: string) => `^[${blanks}]*(${text})[${blanks}]*$`

export const noNul = String.raw`^[^\u0000]*$`
export const oneLine = `^[^${controls}]*$`
/** One line that is not blank. */
export const someText = `^[^${controls}]*[^${controls}${blanks}][^${controls}]*$`
/** Any text that is not blank. */
export const notBlank = String.raw`^[^\u0000]*[^${controls}${blanks}][^\u0000]*$`

/** Any text that is not blank, without commas and carriage returns. */
export const notBlankItem = String.raw`^[^\u0000,\r]*[^${controls}${blanks},][^\u0000,\r]*$`
/** A folder that a container can mount. */
export const folder = String.raw`^([A-Za-z]:[\\/])?[^\u0000:]*$`
/** A URL with user or password. */
export const withCredentials = String.raw`^[${blanks}\t-\r]*[A-Za-z][A-Za-z0-9+.-]*:[\\/]*[^\\/?#]*@`

const label = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const host = String.raw`(${label}\.){0,8}[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?`
const port = '(:([1-9][0-9]{0,3}|[1-5][0-9]{4}))?'
const rest = `([/?#][^${controls}${blanks}]*)?`

const byte = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const address = String.raw`${byte}(\.${byte}){3}`

export const webAddress = `^(https?://(${host}|${address})${port}${rest})?$`
export const webhookAddress = `^(https://${host}${port}${rest})?$`

const leapYears = '[12][0-9](0[48]|[2468][048]|[13579][26])|1[26]00|2[048]00'
const day = `([12][0-9]{3}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|(${leapYears})-02-29)`
const clock = '([01][0-9]|2[0-3]):[0-5][0-9]'

/** A day, a time with or without time zone, or an empty text. */
export const timestampIn = `^(${day}([T ]${clock}(:[0-5][0-9]([.][0-9]{1,9})?)?(Z|[+-]${clock})?)?)?$`

/** A CVE or GHSA id, ignoring case. */
export const advisoryId =
  '^(?:[Cc][Vv][Ee]-(?:1999|20[0-9]{2})-(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000|[0-9]{5,7})|[Gg][Hh][Ss][Aa](?:-[23456789CFGHJMPQRVWXcfghjmpqrvwx]{4}){3})$'

/** An id of any database of advisories, such as `ACME-2026-1` or `RHSA-2026:1234`. */
export const anyAdvisoryId = '^[A-Za-z][A-Za-z0-9]*-[A-Za-z0-9_.:-]{1,90}$'

export const runId = '^crun_[A-Za-z0-9-]{1,64}$'
export const runIdPrefix = '^crun_[A-Za-z0-9-]{0,64}$'

/** Comma-separated words, each at most once, in any order, with optional spaces. */
export function toList(words: readonly string[]) {
  return padded(arrangements(words).join('|'))
}

function arrangements(words: readonly string[]): string[] {
  return words.flatMap((word) => [
    word,
    ...arrangements(words.filter((other) => other !== word)).map((others) => `${word}, ?${others}`),
  ])
}

export const timeZone = '^[A-Za-z0-9][A-Za-z0-9_+/-]*$'
export const quietHours = '^((([01][0-9])|(2[0-3])):[0-5][0-9]-(([01][0-9])|(2[0-3])):[0-5][0-9])?$'
