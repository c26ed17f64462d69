import type { FindingCounts } from '../contract/scan-finding.ts'
import { invalidParams } from '../errors.ts'
import { isObject, JsonReader } from '../util/json.ts'
import { parseTimestamp } from '../util/time.ts'
import type { ReportCheck, UnreadCheck } from './check.ts'
import { type CheckMembers, rowFields } from './check-form.ts'
import { noFindings } from './no-findings.ts'
import { notUnderstood } from './not-run-text.ts'
import { readCheck, toList } from './read-check.ts'
import { shapeFor, strangeMember } from './strange-member.ts'
import { string, strings } from './text.ts'
import { withUnreadKinds } from './unread-kinds.ts'

/**
 * A report of the scanner KubeBuddy, of any generation. Generations differ in words for severity and status, in the type of
 * `Items` (list, object or null), and in the fields of an item.
 */
export interface Report {
  clusterName: string | undefined
  kubernetesVersion: string | undefined
  /** Unix seconds. */
  generatedAt: number | undefined
  /** Score from 0 to 100. */
  score: number | undefined
  checks: ReportCheck[]
  /** Parts of the report that are not understood and may hide findings. */
  gaps: UnreadKind[]
  scope: Scope
  /** The inventory that some builds add, not parsed. */
  artifacts: unknown
  /** Not parsed yet. */
  directRiskPaths: unknown
  combinedRiskPaths: unknown
  aksReadiness: unknown
}

/** What a scan covered. */
export interface Scope {
  excludedNamespaces: string[]
  /** The only namespaces that were read; objects outside namespaces were not. */
  includedNamespaces?: string[]
  /** Namespaces of all that the report has, if its format does not state which ones were read. */
  namespaces?: string[]
  /** Checks that the user left out, if the format states them. */
  excludedChecks?: string[]
  /** The only categories of checks that were looked at, if the format states them. */
  parts?: string[]
  /** Ids of the checks; null if the scanner lists only failed checks, so that passed ones are unknown. */
  checkIds: string[] | null
  /**
   * Namespaces that the operator has not reported yet, although no one excluded them. They are in `excludedNamespaces`, too.
   */
  unreportedNamespaces?: string[]
  /** Kinds of operator reports that are not in this report. */
  unreadKinds?: UnreadKind[]
  /** Coverage, for operator reports that relt collected. */
  coverage?: ReportedCoverage
}

/** Running workloads, and which of them are reported. Distinguishes a missing report from a workload that is gone. */
export interface ReportedCoverage {
  /** Namespace, `deployment/web` and its containers. Null if they could not be read. */
  running: [namespace: string, resource: string, ...containers: string[]][] | null
  /** Category of checks (`*`: all), and keys of the places with a report (see `keyOfPlace`). */
  reported: [category: string, places: string[]][]
}

export interface UnreadKind {
  kind: string
  /** Category of these reports' checks; `*` for any. */
  category: string
  reason: string
  /** The report has some objects of the kind; any run may lack others. */
  isPartial?: boolean
}

const maxChecks = 10_000

type OnCheck = (check: UnreadCheck) => ReportCheck

/**
 * Reads a report check by check; `onCheck` gets each check and reads its rows. Throws `invalid_json` or `invalid_param`,
 * maybe after some checks.
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
    else rest[key] = reader.value()
  }
  reader.end()
  if (!isObject(metadata) && !checks) {
    throw invalidParams({ report: 'is not a scan report: it has neither metadata nor checks' })
  }
  return describeReport(isObject(metadata) ? metadata : {}, withUnreadKinds(checks ?? []), rest)
}

const rootShape = shapeFor({
  known: 'metadata checks artifacts directRiskPaths combinedRiskPaths aksAutomaticReadiness',
  unread: 'metrics',
  rows: `${rowFields} ID Severity Total Items Weight Category`,
})

const metadataShape = shapeFor({
  known:
    'clusterName kubernetesVersion generatedAt excludeNamespacesEnabled excludedNamespaces excludedChecks prometheusUrl ' +
    'prometheusSnapshotStatus prometheusSnapshotReason aks aksAutomaticSummary score',
  rows: rowFields,
})

function describeReport(
  metadata: Record<string, unknown>,
  checks: ReportCheck[],
  rest: Record<string, unknown>,
): Report {
  const { artifacts, directRiskPaths, combinedRiskPaths, aksAutomaticReadiness } = rest
  const { clusterName, kubernetesVersion, generatedAt, score, excludeNamespacesEnabled, excludedNamespaces } = metadata
  const excludedChecks = strings(metadata.excludedChecks).slice(0, maxChecks)
  return {
    clusterName: string(clusterName),
    kubernetesVersion: string(kubernetesVersion),
    generatedAt: typeof generatedAt === 'string' ? parseTimestamp(generatedAt) : undefined,
    score: readScore(score),
    checks,
    gaps: gapsFor(metadata, rest),
    scope: {
      excludedNamespaces: excludeNamespacesEnabled === false ? [] : strings(excludedNamespaces),
      checkIds: [...new Set(checks.map((check) => check.id))],
      ...(excludedChecks.length > 0 && { excludedChecks }),
    },
    artifacts,
    directRiskPaths,
    combinedRiskPaths,
    aksReadiness: aksAutomaticReadiness,
  }
}

/** Parts of the report unknown to relt. The score cannot rule out findings in them: builds weight checks differently. */
function gapsFor(metadata: Record<string, unknown>, rest: Record<string, unknown>): UnreadKind[] {
  const gaps: [kind: string, what: string | undefined][] = [
    ['Report', strangeMember(rest, rootShape)],
    ['Metadata', strangeMember(metadata, metadataShape)],
  ]
  return gaps.flatMap(([kind, what]) =>
    what === undefined ? [] : { kind, category: '*', reason: notUnderstood(what), isPartial: true },
  )
}

export function countFindings(checks: ReportCheck[]): FindingCounts {
  const counts = noFindings()
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

/** Returns undefined for null. The native client writes a list if it cannot read its own file. */
function readChecks(reader: JsonReader, onCheck: OnCheck): ReportCheck[] | undefined {
  if (!reader.isObject() && !reader.isArray()) {
    if (reader.value() === null) return undefined
    throw invalidParams({ 'report.checks': 'must be an object keyed by check id, or a list of checks' })
  }
  const checks: ReportCheck[] = []
  for (const key of reader.isObject() ? reader.members() : reader.elements()) {
    const members = readMembers(reader, String(key))
    if (checks.length === maxChecks) throw invalidParams({ 'report.checks': `at most ${maxChecks} checks` })
    checks.push(onCheck(readCheck(String(key), members)))
  }
  return checks
}

/** The first generation writes null both for a check without findings and for one that did not run. */
const nullCheck = 'The report has null here: the check found nothing, or it could not run.'

function readMembers(reader: JsonReader, check: string): CheckMembers {
  if (!reader.isObject()) {
    if (reader.value() === null) return { values: { Error: nullCheck }, rows: undefined }
    throw invalidParams({ [`report.checks.${check.slice(0, 100)}`]: 'must be an object or null' })
  }
  const members: CheckMembers = { values: {}, rows: undefined }
  for (const key of reader.members()) {
    if (key === 'Items') members.rows = readRows(reader)
    else members.values[key] = reader.value()
  }
  return members
}

/** Reads a list, a single row, or null. */
function readRows(reader: JsonReader): CheckMembers['rows'] {
  if (reader.isArray()) return reader.batches()
  const rows = toList(reader.value())
  return [() => rows]
}
