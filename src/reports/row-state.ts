import { isObject } from '../util/json.ts'
import { isPlaceKey } from './item.ts'

const wellWords = new Set(['healthy', 'normal', 'ok', 'ready', 'good', 'pass', 'passed', 'none', 'n/a', ''])

/** `✅ Healthy` → `healthy`. */
const plain = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
        .replace(/^[^\p{L}\p{N}]+/u, '')
        .trim()
        .toLowerCase()
    : undefined

/**
 * A row that a check lists for context: it says of a node or another resource that all is well (NODE001, NODE002). It has
 * one or several statuses, all of them well, and names no issue.
 */
export function isWell(row: unknown): boolean {
  if (!isObject(row)) return false
  let statuses = 0
  for (const key in row) {
    if (!key.endsWith('Status')) continue
    statuses++
    if (!wellWords.has(plain(row[key]) ?? '?')) return false
  }
  return statuses > 0 && !issueKeys.some((key) => saysIssue(row[key]))
}

const issueKeys = ['Issues', 'Issue', 'Message', 'Reason'] as const

function saysIssue(value: unknown): boolean {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return false
  return !wellWords.has(plain(value) ?? '?')
}

/**
 * Why a check did not run, in the scanner's words; undefined when it did. KubeBuddy writes `Error`, or a single row with
 * a `Status` and no resource, and a total of 0; its own score counts such a check as passed.
 */
export function reasonNotRun(check: Record<string, unknown>, rows: unknown[]): string | undefined {
  const error = sentence(check.Error)
  if (error) return error
  const status = plain(check.Status)
  if (status && /\b(?:skipped|not run|error|unknown)\b/.test(status)) {
    return sentence(check.Message) ?? sentence(check.SummaryMessage) ?? sentence(check.Status)
  }
  const [row] = rows
  if (rows.length !== 1 || !isObject(row) || isWell(row) || Object.keys(row).some(isPlaceKey)) return undefined
  const { Status, Message } = row
  const word = sentence(Status)
  if (!word || !(check.Total === 0 || (check.Total === undefined && saysNotRun.test(word)))) return undefined
  return sentence(Message) ?? word
}

const saysNotRun = /skipped|insufficient|unable|not run|unavailable|no data/i

function sentence(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return value.replace(/\s+/g, ' ').trim().slice(0, 500) || undefined
}
