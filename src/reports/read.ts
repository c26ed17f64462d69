import type { FindingCounts, FindingSeverity } from '../contract/scan-finding.ts'
import { invalidParams } from '../errors.ts'
import { isObject, JsonReader } from '../util/json.ts'
import { parseTimestamp } from '../util/time.ts'
import type { ReportCheck, UnreadCheck } from './check.ts'
import { readRecommendation, readUrl } from './guidance.ts'
import { isWell, reasonNotRun } from './row-state.ts'

/**
 * A scan report of the scanner KubeBuddy, any of the generations in the field. They differ in the words for severity
 * and status, in `Items` being a list, one object or null, and in what an item calls its fields.
 */
export interface Report {
  clusterName: string | undefined
  kubernetesVersion: string | undefined
  /** Unix seconds. */
  generatedAt: number | undefined
  /** 0–100. */
  score: number | undefined
  checks: ReportCheck[]
  scope: Scope
  /** The inventory that some builds add, unread. */
  artifacts: unknown
  /** Unread. */
  directRiskPaths: unknown
  combinedRiskPaths: unknown
  aksReadiness: unknown
}

/** Scope of the scan. */
export interface Scope {
  excludedNamespaces: string[]
  /** Null when the scanner lists only what failed: then it is not known which checks passed. */
  checkIds: string[] | null
  /** Excluded by no one: the operator has not reported them yet. They are in `excludedNamespaces`, too. */
  unreportedNamespaces?: string[]
  /** Kinds of an operator's reports that are not in this one. */
  unreadKinds?: UnreadKind[]
  /** Of the reports of an operator that relt collected itself. */
  coverage?: ReportedCoverage
}

/** What ran, and what of it is reported, so that a missing report is told from what is gone. */
export interface ReportedCoverage {
  /** Namespace, `deployment/web` and its containers. Null: it could not be read. */
  running: [namespace: string, resource: string, ...containers: string[]][] | null
  /** Category of checks (`*`: all), and the places with a report of them; see `keyOfPlace`. */
  reported: [category: string, places: string[]][]
}

export interface UnreadKind {
  kind: string
  /** Of the checks of these reports; `*` when they can be of any check. */
  category: string
  reason: string
}

const maxChecks = 10_000
const maxTotal = 10_000_000
const maxWeight = 1000

type OnCheck = (check: UnreadCheck) => ReportCheck

/**
 * Reads a report check by check; `onCheck` gets each and reads its rows. Throws `invalid_json` or `invalid_param`, maybe
 * after some checks have been handed over.
 */
export function readReport(bytes: Uint8Array, onCheck: OnCheck = (check) => check.read(() => {})): Report {
  const reader = new JsonReader(bytes, 'The report')
  if (!reader.isObject()) throw invalidParams({ report: 'must be a JSON object' })
  let metadata: unknown
  let checks: ReportCheck[] | undefined
  const rest: Record<string, unknown> = {}
  for (const key of reader.members()) {
    if (key === 'metadata') metadata = reader.value()
    else if (key === 'checks') checks = readChecks(reader, onCheck)
    else if (otherKeys.has(key)) rest[key] = reader.value()
  }
  reader.end()
  if (!isObject(metadata) && !checks) {
    throw invalidParams({ report: 'is not a scan report: it has neither metadata nor checks' })
  }
  return describeReport(isObject(metadata) ? metadata : {}, checks ?? [], rest)
}

const otherKeys = new Set(['artifacts', 'directRiskPaths', 'combinedRiskPaths', 'aksAutomaticReadiness'])

function describeReport(
  metadata: Record<string, unknown>,
  checks: ReportCheck[],
  { artifacts, directRiskPaths, combinedRiskPaths, aksAutomaticReadiness }: Record<string, unknown>,
): Report {
  const { clusterName, kubernetesVersion, generatedAt, score, excludeNamespacesEnabled, excludedNamespaces } = metadata
  return {
    clusterName: string(clusterName),
    kubernetesVersion: string(kubernetesVersion),
    generatedAt: typeof generatedAt === 'string' ? parseTimestamp(generatedAt) : undefined,
    score: readScore(score),
    checks,
    scope: {
      excludedNamespaces: excludeNamespacesEnabled === false ? [] : strings(excludedNamespaces),
      checkIds: [...new Set(checks.map((check) => check.id))],
    },
    artifacts,
    directRiskPaths,
    combinedRiskPaths,
    aksReadiness: aksAutomaticReadiness,
  }
}

export function countFindings(checks: ReportCheck[]): FindingCounts {
  const counts = { total: 0, critical: 0, high: 0, medium: 0, low: 0, info: 0 }
  for (const check of checks) {
    counts.total += check.total
    counts[check.severity] += check.total
  }
  return counts
}

function readScore(score: unknown): number | undefined {
  if (score === undefined || score === null) return undefined
  if (typeof score === 'number' && score >= 0 && score <= 100) return score
  throw invalidParams({ 'report.metadata.score': 'must be a number from 0 to 100' })
}

/** Undefined for null. The native client sends a list when it cannot read its own file. */
function readChecks(reader: JsonReader, onCheck: OnCheck): ReportCheck[] | undefined {
  if (!reader.isObject() && !reader.isArray()) {
    if (reader.value() === null) return undefined
    throw invalidParams({ 'report.checks': 'must be an object keyed by check id, or a list of checks' })
  }
  const checks: ReportCheck[] = []
  for (const key of reader.isObject() ? reader.members() : reader.elements()) {
    const { values, rows } = readMembers(reader, String(key))
    if (checks.length === maxChecks) throw invalidParams({ 'report.checks': `at most ${maxChecks} checks` })
    checks.push(onCheck(readCheck(String(key), values, rows)))
  }
  return checks
}

/** The first generation of scanners writes null for both. */
const nullCheck = 'The report has null here: the check found nothing, or it could not run.'

/** Each parses some rows: `Items` may come before the members that say how to read them. */
type Batches = (() => unknown[])[]

interface Members {
  values: Record<string, unknown>
  rows: Batches
}

function readMembers(reader: JsonReader, check: string): Members {
  if (!reader.isObject()) {
    if (reader.value() === null) return { values: { Error: nullCheck }, rows: [] }
    throw invalidParams({ [`report.checks.${check.slice(0, 100)}`]: 'must be an object or null' })
  }
  const members: Members = { values: {}, rows: [] }
  for (const key of reader.members({ repeated: true })) {
    if (key === 'Items') members.rows = readRows(reader)
    else members.values[key] = reader.value()
  }
  return members
}

function readCheck(key: string, check: Record<string, unknown>, rows: Batches): UnreadCheck {
  const id = string(check.ID) ?? key
  const first = rows[0]?.() ?? []
  const notRun = reasonNotRun(check, rows.length > 1 ? [] : first)
  const scanned = readTotal(check.Total, id)
  const head = {
    id,
    name: string(check.Name) ?? key,
    category: string(check.Category) ?? '',
    severity: readSeverity(check.Severity),
    resourceKind: string(check.ResourceKind) ?? '',
    notRun,
    weight: readWeight(check.Weight),
    recommendation: readRecommendation(check.Recommendation),
    url: readUrl(check.URL),
  }
  return {
    ...head,
    suppressed: notRun === undefined ? readItems(check.SuppressedFindings) : [],
    read(onItem) {
      // Items of a check that has not failed are context rows, not findings.
      const mayFail = notRun === undefined && hasFailed(check.Status, scanned ?? 1)
      let [well, items] = [0, 0]
      for (const batch of [() => first, ...rows.slice(1)]) {
        for (const row of batch()) {
          if (row === null) continue
          if (isWell(row)) {
            well++
            continue
          }
          items++
          if (mayFail) onItem(row)
        }
      }
      // Rows that say that all is well are no findings, whatever the scanner counts.
      const count = well > 0 ? Math.min(scanned ?? items, items) : (scanned ?? items)
      const onlyWell = well > 0 && items === 0
      const failed = notRun === undefined && !onlyWell && hasFailed(check.Status, count)
      return { ...head, failed, total: failed ? Math.max(count, 1) : 0 }
    },
  }
}

/** A list, a single row, or null. */
function readRows(reader: JsonReader): Batches {
  if (reader.isArray()) return reader.batches()
  const rows = readItems(reader.value())
  return [() => rows]
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

function hasFailed(status: unknown, total: number): boolean {
  const word = string(status)?.toUpperCase()
  if (word?.endsWith('PASS')) return false
  if (word?.endsWith('FAIL')) return true
  return total > 0
}

function readItems(items: unknown): unknown[] {
  if (items === undefined || items === null) return []
  return Array.isArray(items) ? items.filter((item) => item !== null) : [items]
}

const severityWords = new Map<string, FindingSeverity>(
  Object.entries({
    critical: 'critical',
    error: 'high',
    high: 'high',
    warning: 'medium',
    medium: 'medium',
    low: 'low',
  }),
)

export function readSeverity(word: unknown): FindingSeverity {
  return severityWords.get(string(word)?.toLowerCase() ?? '') ?? 'info'
}

/** Trimmed and not empty, or undefined. */
export function string(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed
}

/** Items of a list, or of a comma-separated text. */
export function strings(value: unknown): string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  return list.flatMap((entry) => string(entry) ?? [])
}
