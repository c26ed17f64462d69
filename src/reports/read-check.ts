import type { FindingSeverity } from '../contract/scan-finding.ts'
import { invalidParams } from '../errors.ts'
import { isObject } from '../util/json.ts'
import { nounFor } from '../util/words.ts'
import type { ReportCheck, UnreadCheck } from './check.ts'
import { type Batches, type CheckForm, type CheckMembers, formOfCheck } from './check-form.ts'
import { readRecommendation, readUrl } from './guidance.ts'
import { isPlaceKey } from './item.ts'
import { notUnderstood, saysNotRun, sentence, shown } from './not-run-text.ts'
import { string } from './text.ts'

const maxTotal = 10_000_000
const maxWeight = 1000

/**
 * Reads a check of KubeBuddy, its rows later. It passed only with a `Total` of 0 and no contradiction. Any other check
 * without findings did not run, or is not understood.
 */
export function readCheck(key: string, members: CheckMembers): UnreadCheck {
  const form = formOfCheck(key, members)
  const { values, rows } = form
  const id = string(values.ID) ?? key
  const total = readTotal(form.total, id)
  const [first = () => [], ...others] = rows ?? []
  const firstRows = first()
  const notRun = reasonNotRun(values, total, others.length === 0 ? firstRows : [])
  const head = {
    id,
    name: string(values.Name) ?? key,
    category: string(values.Category) ?? '',
    severity: form.isFirstGeneration ? 'info' : readSeverity(values.Severity),
    resourceKind: string(values.ResourceKind) ?? '',
    notRun,
    weight: readWeight(values.Weight),
    recommendation: readRecommendation(values.Recommendation),
    url: readUrl(values.URL),
  }
  return {
    ...head,
    suppressed: notRun === undefined ? toList(values.SuppressedFindings) : [],
    read(onItem) {
      const tally = tallyRows([() => firstRows, ...others], rowJudge(values, total, notRun), onItem)
      return { ...head, ...judge(form, total, tally, notRun) }
    },
  }
}

/** Why a check did not run, in the scanner's words; undefined if it does not say so. */
function reasonNotRun(values: Record<string, unknown>, total: number | undefined, rows: unknown[]): string | undefined {
  const { Error: error, Status, Message, SummaryMessage } = values
  if (!isNothing(error)) return sentence(error) ?? notUnderstood(`its Error is ${shown(error)}`)
  if (saysSkipped(Status)) return sentence(Message) ?? sentence(SummaryMessage) ?? sentence(Status)
  return rows.length === 1 ? reasonOfRow(rows[0], total) : undefined
}

const saysSkipped = (status: unknown): boolean => /\b(?:skipped|not run|error|unknown)\b/.test(plainWord(status) ?? '')

type RowKind = 'finding' | 'well' | 'loose' | 'reason'

/** Decides whether a row is a finding. If the total is 0, only context rows with a bad status are. */
function rowJudge(values: Record<string, unknown>, total: number | undefined, notRun: string | undefined) {
  const isReason = notRun !== undefined && (isNothing(values.Error) || total === 0)
  const hasFindings = total !== 0 || statusFor(values.Status) === 'failed'
  return (row: unknown): RowKind => {
    if (isReason) return 'reason'
    if (isContext(row)) return isWell(row) ? 'well' : 'finding'
    return hasFindings ? 'finding' : 'loose'
  }
}

type Tally = Record<RowKind, number>

function tallyRows(rows: Batches, toKind: (row: unknown) => RowKind, onItem: (row: unknown) => void): Tally {
  const tally = { finding: 0, well: 0, loose: 0, reason: 0 }
  for (const batch of rows) {
    for (const row of batch()) {
      if (row === null) continue
      const kind = toKind(row)
      tally[kind]++
      if (kind === 'finding') onItem(row)
    }
  }
  return tally
}

/** Findings count in every format. Without findings, the check passed only if the report proves it. */
function judge(
  form: CheckForm,
  declared: number | undefined,
  tally: Tally,
  notRun: string | undefined,
): Pick<ReportCheck, 'failed' | 'total' | 'notRun'> {
  if (notRun !== undefined && tally.finding === 0) return { failed: false, total: 0, notRun }
  const status = statusFor(form.values.Status)
  const hidden = hiddenSuppressed(form.values)
  const isContradicted = tally.well > 0 && tally.finding === 0 && form.totalIsOfRows && (declared ?? 0) > 0
  if (isContradicted && status !== 'failed') {
    const what = `its Total is ${declared}, and all ${tally.well} rows are well`
    return { failed: false, total: 0, notRun: notUnderstood(what) }
  }
  const counted = form.totalIsOfRows ? Math.max(declared ?? 0, tally.finding) : tally.finding || (declared ?? 0)
  const total = status === 'failed' ? Math.max(counted, 1) : counted
  if (total === 0) return { failed: false, total, notRun: doubtFor(form, declared, tally) ?? hidden }
  const unsure = declared === undefined && status !== 'failed' ? notUnderstood('it has no Total') : undefined
  return { failed: true, total, notRun: notRun ?? unsure ?? hidden }
}

/** Why a check without findings may not have passed. */
function doubtFor({ values, stray }: CheckForm, declared: number | undefined, { loose }: Tally): string | undefined {
  if (loose > 0) return notUnderstood(`its Total is 0, and its Items list ${loose} ${nounFor(loose, 'row')}`)
  const said = [values.Message, values.SummaryMessage].find((text) => !isNothing(text) && !saysPassed(text))
  if (said !== undefined) return readable(said) ?? notUnderstood(`its Message is ${shown(said)}`)
  const { Status } = values
  if (!isNothing(Status) && statusFor(Status) !== 'passed') return notUnderstood(`its Status is ${shown(Status)}`)
  if (declared === undefined) return notUnderstood('it has no Total')
  return stray === undefined ? undefined : notUnderstood(`it has ${stray}`)
}

/** Why suppressed findings are hidden: the scanner counts more than it lists. */
function hiddenSuppressed({ SuppressedTotal, SuppressedFindings }: CheckForm['values']): string | undefined {
  if (isNothing(SuppressedTotal) || SuppressedTotal === 0) return undefined
  const listed = toList(SuppressedFindings).length
  if (typeof SuppressedTotal === 'number' && SuppressedTotal <= listed) return undefined
  return notUnderstood(`its SuppressedTotal is ${shown(SuppressedTotal)}, and SuppressedFindings lists ${listed}`)
}

const readable = (said: unknown): string | undefined => {
  const text = sentence(said)
  return text !== undefined && saysNotRun(text) ? text : undefined
}

/** Whether the text is the scanner's message for a check without findings. */
const saysPassed = (text: unknown): boolean =>
  typeof text === 'string' && /^(?:No issues detected\b|Sizing recommendations use\b)/.test(text.trim())

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (typeof value === 'string' && value.trim() === '')

function statusFor(status: unknown): 'passed' | 'failed' | undefined {
  const word = plainWord(status)
  if (word === 'pass' || word === 'passed') return 'passed'
  return word === 'fail' || word === 'failed' ? 'failed' : undefined
}

function readWeight(weight: unknown): number | undefined {
  const value = typeof weight === 'string' && weight.trim() !== '' ? Number(weight) : weight
  return typeof value === 'number' && value > 0 && value <= maxWeight ? value : undefined
}

function readTotal(total: unknown, id: string): number | undefined {
  if (total === undefined || total === null) return undefined
  if (typeof total === 'number' && Number.isInteger(total) && total >= 0 && total <= maxTotal) return total
  throw invalidParams({ [`report.checks.${id.slice(0, 100)}.Total`]: `must be a whole number from 0 to ${maxTotal}` })
}

/** A list; a single row becomes a list of one, nothing an empty list. */
export function toList(rows: unknown): unknown[] {
  if (rows === undefined || rows === null) return []
  return Array.isArray(rows) ? rows.filter((row) => row !== null) : [rows]
}

const severityWords = new Map<string, FindingSeverity>(
  Object.entries({
    critical: 'critical',
    error: 'high',
    high: 'high',
    warning: 'medium',
    medium: 'medium',
    low: 'low',
    info: 'info',
  }),
)

/** Returns `unknown` for a word that neither generation of the scanner uses. */
export function readSeverity(word: unknown): FindingSeverity {
  return severityWords.get(string(word)?.toLowerCase() ?? '') ?? 'unknown'
}

const wellWords = new Set(['healthy', 'normal', 'ok', 'ready', 'good', 'pass', 'passed', 'none', 'n/a', ''])

/** `✅ Healthy` → `healthy`. */
const plainWord = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
        .replace(/^[^\p{L}\p{N}]+/u, '')
        .trim()
        .toLowerCase()
    : undefined

/** A context row has a status of its own, which alone decides: checks of nodes list every node (NODE001, NODE002). */
function isContext(row: unknown): row is Record<string, unknown> {
  return isObject(row) && typeof row.Node === 'string' && Object.keys(row).some(isStatusKey)
}

/** Whether all statuses of a context row are good and it names no issue. */
function isWell(row: Record<string, unknown>): boolean {
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
function reasonOfRow(row: unknown, total: number | undefined): string | undefined {
  if (!isObject(row) || Object.keys(row).some(isPlaceKey)) return undefined
  const [word, message] = [sentence(row.Status), sentence(row.Message)]
  if (!word || (total !== 0 && !saysNotRun(word))) return undefined
  return message ?? word
}
