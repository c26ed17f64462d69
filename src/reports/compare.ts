import type { Finding, FindingSeverity, ReportFormat, ScopeChanges } from '../contract/cluster-report.ts'
import {
  blockOf,
  compareFingerprints,
  type FindingIndex,
  readTexts,
  recordLength,
  severityOf,
} from './finding-index.ts'
import { fingerprintLength } from './fingerprint.ts'
import type { Scope } from './read.ts'

/** A run as comparing needs it; a block of details is opened only when some finding in it has changed. */
export interface RunFindings {
  format: ReportFormat
  index: Pick<FindingIndex, 'records' | 'checks' | 'namespaces'>
  scope: Scope
  details: (block: number) => Promise<Buffer>
}

export interface Difference {
  new: Finding[]
  resolved: Finding[]
  regressed: (Finding & { previous_severity?: FindingSeverity })[]
  unchangedCount: number
  incomparableCount: number
  scopeChanges: ScopeChanges
}

/**
 * What `to` has that `from` has not, and the other way round. `seenBefore` tells which of some fingerprints (16 bytes
 * each, joined) an older run than `to` had, as positions; it is asked once, with those that came.
 */
export async function compareRuns(
  from: RunFindings,
  to: RunFindings,
  seenBefore: (fingerprints: Buffer) => Promise<Set<number>>,
): Promise<Difference> {
  const walked = walk(from.index.records, to.index.records)
  const came = walked.came.filter(differs(to.index, from.index))
  const gone = walked.gone.filter(differs(from.index, to.index))
  // Another scanner looks for other things: what only one of them found is no change.
  const comparable = from.format === to.format
  const cameInScope = comparable ? came.filter(inScopeOf(to.index, from.scope)) : []
  const goneInScope = comparable ? gone.filter(inScopeOf(from.index, to.scope)) : []

  const seen = await seenBefore(joinFingerprints(to.index.records, cameInScope))
  const cameFindings = await readFindings(to, cameInScope)
  const worse = await readFindings(
    to,
    walked.worse.map(([record]) => record),
  )
  return {
    new: cameFindings.filter((_, position) => !seen.has(position)),
    resolved: await readFindings(from, goneInScope),
    regressed: [
      ...cameFindings.filter((_, position) => seen.has(position)),
      ...worse.map((finding, i) => ({ ...finding, previous_severity: severityOf(walked.worse[i]![1]) })),
    ],
    unchangedCount: walked.unchangedCount,
    incomparableCount: came.length - cameInScope.length + gone.length - goneInScope.length,
    scopeChanges: compareScopes(from.scope, to.scope),
  }
}

interface Walk {
  /** Offsets of records in `to`, in `from`. */
  came: number[]
  gone: number[]
  /** Offset in `to`, with the rank of the severity it had in `from`. */
  worse: [number, number][]
  unchangedCount: number
}

function walk(from: Buffer, to: Buffer): Walk {
  const result: Walk = { came: [], gone: [], worse: [], unchangedCount: 0 }
  let a = 0
  let b = 0
  while (a < from.length || b < to.length) {
    const order = a >= from.length ? 1 : b >= to.length ? -1 : compareFingerprints(from, a, to, b)
    if (order < 0) {
      result.gone.push(a)
      a += recordLength
    } else if (order > 0) {
      result.came.push(b)
      b += recordLength
    } else {
      if (to[b + 26]! < from[a + 26]!) result.worse.push([b, from[a + 26]!])
      else result.unchangedCount++
      a += recordLength
      b += recordLength
    }
  }
  return result
}

/**
 * A check that failed without rows is one finding about itself. Where the other run lists rows of the same check, only
 * the listing differs: that is no change.
 */
function differs(index: RunFindings['index'], other: RunFindings['index']): (record: number) => boolean {
  let failedThere: Set<string> | undefined
  return (record) => {
    if (index.records[record + 27] !== 1) return true
    failedThere ??= failedChecks(other)
    return !failedThere.has(checkOf(index, record).id)
  }
}

function failedChecks(index: RunFindings['index']): Set<string> {
  const ids = new Set<string>()
  for (let record = 0; record < index.records.length; record += recordLength) ids.add(checkOf(index, record).id)
  return ids
}

function checkOf({ records, checks }: RunFindings['index'], record: number) {
  return checks[records.readUInt16LE(record + 24)]!
}

/** Would a scan of `scope` have seen the finding at all? */
function inScopeOf(index: RunFindings['index'], scope: Scope): (record: number) => boolean {
  const excluded = new Set(scope.excludedNamespaces)
  const known = scope.checkIds === null ? null : new Set(scope.checkIds)
  const checkInScope = index.checks.map((check) => known === null || known.has(check.id))
  const namespaceInScope = index.namespaces.map((namespace) => !excluded.has(namespace))
  return (record) => {
    const namespace = index.records.readUInt32LE(record + 20)
    return (
      checkInScope[index.records.readUInt16LE(record + 24)]! && (namespace === 0 || namespaceInScope[namespace - 1]!)
    )
  }
}

function joinFingerprints(records: Buffer, offsets: number[]): Buffer {
  return Buffer.concat(offsets.map((offset) => records.subarray(offset, offset + fingerprintLength)))
}

/** The findings of some records, by the offsets of these. */
export async function readFindings(run: Pick<RunFindings, 'index' | 'details'>, offsets: number[]): Promise<Finding[]> {
  const { records } = run.index
  const places = offsets.map((offset) => records.readUInt32LE(offset + fingerprintLength))
  const blocks = new Map<number, Buffer>()
  for (const block of new Set(places.map(blockOf))) blocks.set(block, await run.details(block))
  return offsets.map((offset, i) => readFinding(run.index, offset, blocks.get(blockOf(places[i]!))!))
}

function readFinding({ records, checks, namespaces }: RunFindings['index'], offset: number, block: Buffer): Finding {
  const { resource, message, value } = readTexts(block, records.readUInt32LE(offset + fingerprintLength))
  const namespace = records.readUInt32LE(offset + 20)
  const check = checkOf({ records, checks, namespaces }, offset)
  return {
    fingerprint: records.toString('hex', offset, offset + fingerprintLength),
    check_id: check.id,
    check_name: check.name,
    category: check.category,
    severity: severityOf(records[offset + 26]!),
    namespace: namespace === 0 ? null : namespaces[namespace - 1]!,
    resource,
    message,
    value,
  }
}

function compareScopes(from: Scope, to: Scope): ScopeChanges {
  const areKnown = from.checkIds !== null && to.checkIds !== null
  return {
    namespaces_excluded: without(to.excludedNamespaces, from.excludedNamespaces),
    namespaces_included: without(from.excludedNamespaces, to.excludedNamespaces),
    checks_removed: areKnown ? without(from.checkIds!, to.checkIds!) : [],
    checks_added: areKnown ? without(to.checkIds!, from.checkIds!) : [],
  }
}

function without(list: string[], other: string[]): string[] {
  const known = new Set(other)
  return list.filter((entry) => !known.has(entry)).sort()
}
