import { isUtf8 } from 'node:buffer'
import { invalidParams } from '../errors.ts'
import { isObject } from './json.ts'

const reason = 'no NUL and no lone surrogates'

/**
 * Throws `invalid_param` for a text that stores would change: SQLite truncates some texts at NUL, and a lone surrogate
 * becomes U+FFFD, which could make two different names equal. Also checks keys.
 */
export function checkText(value: unknown, name = 'body') {
  const problems: Record<string, string> = {}
  collect(value, '', problems, name)
  if (Object.keys(problems).length > 0) throw invalidParams(problems)
}

function collect(value: unknown, path: string, problems: Record<string, string>, name: string) {
  if (typeof value === 'string') {
    if (!isText(value)) problems[path || name] = reason
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(item, join(path, String(index)), problems, name)
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      if (isText(key)) collect(value[key], join(path, key), problems, name)
      else problems[join(path, key.toWellFormed().replaceAll('\0', '\ufffd').slice(0, 100))] = reason
    }
  }
}

const join = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)
const isText = (text: string) => text.isWellFormed() && !text.includes('\0')

/**
 * Like `checkText`, for a report, which stays JSON text. Throws `invalid_param`. JSON has no raw NUL, so both can only occur
 * as escapes; the rest of the syntax is checked by the report's reader.
 */
export function checkReportText(report: Uint8Array) {
  if (!isUtf8(report)) throw invalidParams({ report: 'must be UTF-8 text' })
  const bytes = Buffer.from(report.buffer, report.byteOffset, report.length)
  for (const start of ['\\u0000', '\\ud', '\\uD']) {
    for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1)) {
      if (isEscape(bytes, at) && !isPair(bytes, at)) {
        throw invalidParams({ report: `${reason}: ${bytes.toString('latin1', at, at + 6)} at byte ${at}` })
      }
    }
  }
}

/** Whether an odd number of backslashes ends here; an even number is escaped backslashes. */
function isEscape(bytes: Buffer, at: number) {
  let start = at
  while (bytes[start - 1] === 0x5c) start--
  return (at - start) % 2 === 0
}

/** Whether the escape is part of a surrogate pair, or no surrogate, such as `\ud7ff`. */
function isPair(bytes: Buffer, at: number) {
  const code = codeAt(bytes, at)
  if (code >= 0xd800 && code < 0xdc00) return isLow(codeAt(bytes, at + 6))
  if (!isLow(code)) return code !== 0
  const before = codeAt(bytes, at - 6)
  return before >= 0xd800 && before < 0xdc00 && isEscape(bytes, at - 6)
}

const isLow = (code: number) => code >= 0xdc00 && code < 0xe000

/** Code unit of the escape at this position; NaN if there is none. */
function codeAt(bytes: Buffer, at: number) {
  const digits = /^\\u([0-9a-f]{4})$/i.exec(bytes.toString('latin1', Math.max(0, at), at + 6))?.[1]
  return digits === undefined ? Number.NaN : Number.parseInt(digits, 16)
}
