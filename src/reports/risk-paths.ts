import type { AksReadiness, RiskPath } from '../contract/risk-path.ts'
import { isObject } from '../util/json.ts'
import { readRecommendation, readUrl } from './guidance.ts'
import { readSeverity } from './read-check.ts'
import { objectsIn, string, strings } from './text.ts'

type Values = Record<string, unknown>

const maxPaths = 200
const maxEvidence = 100
const maxSamples = 5
const maxItems = 500

/** Statuses of a closed path. Any other word counts as open. */
const closedWords = new Set(
  'not_triggered not-triggered none clear cleared passed ok closed mitigated resolved inactive'.split(' '),
)

/** Reads `directRiskPaths` and `combinedRiskPaths`; null if the report has neither. */
export function readRiskPaths(direct: unknown, combined: unknown): RiskPath[] | null {
  if (!isList(direct) && !isList(combined)) return null
  return [
    ...rows(direct).flatMap((path) => readPath(path, 'direct')),
    ...rows(combined).flatMap((path) => readPath(path, 'combined')),
  ]
}

/** PowerShell writes a list of one item as the item itself. */
const isList = (value: unknown): boolean => Array.isArray(value) || isObject(value)

function readPath(path: Values, kind: RiskPath['kind']): RiskPath[] {
  const id = short(path.id, 100)
  if (id === null) return []
  const status = short(path.status, 100) ?? 'unknown'
  return [
    {
      id,
      kind,
      name: short(path.name, 500) ?? id,
      status,
      is_open: !closedWords.has(status.toLowerCase().replace(/\s+/g, '_')),
      boundary: short(path.boundary, 500),
      confidence: short(path.confidence, 100),
      exploitability: short(path.exploitability, 100),
      fix_priority: short(path.fixPriority, 100),
      summary: short(path.summary, 2000),
      signal_checks: ids(path.signalChecks),
      requires: ids(path.requires),
      triggered_by: ids(path.triggeredDirectRiskPaths),
      evidence: rows(path.evidence).slice(0, maxEvidence).flatMap(readEvidence),
    },
  ]
}

function readEvidence(row: Values): RiskPath['evidence'] {
  const check_id = short(row.checkId, 100)
  if (check_id === null) return []
  return [
    {
      check_id,
      check_name: short(row.checkName, 500),
      severity: readSeverity(row.severity),
      findings: count(row.findingCount) ?? 0,
      samples: rows(row.sampleFindings)
        .slice(0, maxSamples)
        .map(({ Namespace, Resource, Message, Value }) => ({
          namespace: short(Namespace, 300),
          resource: short(Resource, 500),
          message: short(Message, 500),
          value: short(Value, 500),
        })),
    },
  ]
}

/** Null if the report lacks the assessment, or only says that it was not requested. */
export function readAksReadiness(value: unknown): AksReadiness | null {
  if (!isObject(value)) return null
  const summary = isObject(value.summary) ? value.summary : {}
  const alignment = isObject(value.alignment) ? value.alignment.items : value.alignment
  return {
    status: short(summary.status, 100),
    label: short(summary.statusLabel, 200),
    message: short(summary.message, 2000),
    // The assessment ran only if the report says so.
    skipped: (summary.skipped ?? false) !== false,
    blocker_count: agreedCount(summary.blockerCount, value.blockers),
    warning_count: count(summary.warningCount),
    alignment_passed: count(summary.alignmentPassedCount),
    alignment_failed: count(summary.alignmentFailedCount),
    blockers: rows(value.blockers).flatMap(readItem),
    warnings: rows(value.warnings).flatMap(readItem),
    alignment: rows(alignment).flatMap(readItem),
    actions: rows(value.actionPlan)
      .slice(0, maxItems)
      .map((action) => ({
        title: short(action.title, 500) ?? short(action.key, 200) ?? '-',
        phase: short(action.phase, 100),
        steps: texts(action.steps),
        check_ids: ids(action.checks),
        affected: count(action.totalAffected),
      })),
  }
}

function readItem(item: Values): AksReadiness['blockers'] {
  const check_id = short(item.id, 100)
  if (check_id === null) return []
  return [
    {
      check_id,
      name: short(item.name, 500),
      severity: readSeverity(item.severity),
      findings: count(item.total) ?? 0,
      message: short(item.failMessage, 1000),
      recommendation: readRecommendation(item.recommendation) ?? null,
      url: readUrl(item.url) ?? null,
      note: short(item.admissionNote, 1000),
      samples: texts(item.samples).slice(0, maxSamples),
    },
  ]
}

/** Null if the report's count differs from the length of its list. */
function agreedCount(counted: unknown, listed: unknown): number | null {
  const stated = count(counted)
  const length = Array.isArray(listed) ? listed.length : isObject(listed) ? 1 : (listed ?? stated)
  return length === stated ? stated : null
}

const rows = (value: unknown): Values[] => objectsIn(value).slice(0, Math.max(maxPaths, maxItems))

function short(value: unknown, max: number): string | null {
  return string(value)?.replace(/\s+/g, ' ').slice(0, max).toWellFormed() ?? null
}

function texts(value: unknown): string[] {
  const list = typeof value === 'string' ? [value] : Array.isArray(value) ? value : []
  return list.slice(0, 50).flatMap((each) => short(each, 1000) ?? [])
}

const ids = (value: unknown): string[] =>
  strings(value)
    .slice(0, 200)
    .map((id) => id.slice(0, 100).toWellFormed())

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}
