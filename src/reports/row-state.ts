import { isObject } from '../util/json.ts'
import { isPlaceKey } from './item.ts'
import { saysNotRun, sentence } from './not-run-text.ts'

const wellWords = new Set(['healthy', 'normal', 'ok', 'ready', 'good', 'pass', 'passed', 'none', 'n/a', ''])

/** `✅ Healthy` → `healthy`. */
export const plainWord = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
        .replace(/^[^\p{L}\p{N}]+/u, '')
        .trim()
        .toLowerCase()
    : undefined

/** A context row has a status of its own, which alone decides: checks of nodes list every node (NODE001, NODE002). */
export function isContext(row: unknown): row is Record<string, unknown> {
  return isObject(row) && typeof row.Node === 'string' && Object.keys(row).some(isStatusKey)
}

/** Whether all statuses of a context row are good and it names no issue. */
export function isWell(row: unknown): boolean {
  if (!isContext(row)) return false
  const statuses = Object.keys(row).filter(isStatusKey)
  return statuses.every((key) => isWellWord(row[key])) && !issueKeys.some((key) => saysIssue(row[key]))
}

const isStatusKey = (key: string): boolean => key.endsWith('Status')
const isWellWord = (value: unknown): boolean => wellWords.has(plainWord(value) ?? '?')

const issueKeys = ['Issues', 'Issue', 'Message', 'Reason'] as const

function saysIssue(value: unknown): boolean {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return false
  return !isWellWord(value)
}

/** Why a check did not run: KubeBuddy's native build then writes a single row with a status and without a resource. */
export function reasonOfRow(row: unknown, total: number | undefined): string | undefined {
  if (!isObject(row) || Object.keys(row).some(isPlaceKey)) return undefined
  const [word, message] = [sentence(row.Status), sentence(row.Message)]
  if (!word || (total !== 0 && !saysNotRun(word))) return undefined
  return message ?? word
}
