import { isDeepStrictEqual } from 'node:util'
import type { Comparison, Run, ScopeChanges } from '../../contract/cluster-report.ts'
import type { Db } from '../../db/open.ts'
import { notFound, ReltError } from '../../errors.ts'
import { compareRuns, type Difference } from '../../reports/compare.ts'
import { compareReadiness } from '../../reports/compare-readiness.ts'
import { compareRiskPaths } from '../../reports/compare-risk-paths.ts'
import { findRecord } from '../../reports/finding-records.ts'
import type { Guidance } from '../../reports/guidance.ts'
import { readFindings } from '../../reports/read-findings.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import { toCheckNotRun } from '../../reports/run-record.ts'
import { scoreOfRows } from '../../reports/score-gain.ts'
import { findKnownFingerprints } from '../../store/runs/finding-history.ts'
import { findLatestOfSeries, findLatestRun } from '../../store/runs/latest-run.ts'
import { findRunAfter } from '../../store/runs/list-runs.ts'
import { getRun } from '../../store/runs/run.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { formatTimestamp, type UnixSeconds } from '../../util/time.ts'
import { markExploited } from '../facts/exploited-findings.ts'
import type { Unlock, Vault } from '../keys/vault.ts'
import { findRunBeforeBuild } from './build.ts'
import { openGuidance } from './guidance.ts'
import { joinsBetween } from './joins.ts'
import { openBefore, openFindings } from './open-findings.ts'

interface CompareRequest {
  ownerId: number
  /** The cluster whose latest run is used if no run is named. */
  clusterId: number | undefined
  fromRunId?: string | undefined
  toRunId?: string | undefined
  /** Compares with this run, or with nothing, and counts as known what was seen before it. */
  baseline?: { from: StoredRun | undefined; held: string[] } | undefined
  /** Unless `fromRunId` is set, compares with the last run until this time; findings that are not older are new. */
  since?: UnixSeconds | undefined
  vault: Unlock
}

/**
 * Compares two named runs, or the named or latest run with the previous one of its series. Throws `not_found` if a run is
 * missing.
 */
export async function compareReports(db: Db, wanted: CompareRequest): Promise<Comparison> {
  const vault = await wanted.vault()
  const chosen = await chooseRuns(db, wanted)
  const { compared, comparison } = await compareFindings(db, vault, chosen)
  const { scope_changes, ...findings } = comparison
  const { before, after, from, to } = compared
  const [was, is] = await Promise.all([openGuidance(db, vault, from), openGuidance(db, vault, to)])
  const common = findings.score_delta === null ? commonScoreDelta(compared, { was, is, scope_changes }) : undefined
  return {
    ...findings,
    ...(common !== undefined && { common_score_delta: common }),
    risk_paths: compareRiskPaths(
      { ...before, paths: chosen.isWithNothing ? [] : was.riskPaths },
      { ...after, paths: is.riskPaths },
    ),
    aks_readiness: compareReadiness(
      { ...before, readiness: was.aksReadiness },
      { ...after, readiness: is.aksReadiness },
    ),
    scope_changes,
  }
}

interface ChosenRuns {
  from: StoredRun
  to: StoredRun
  /** Findings that a run before this one had are regressed, not new. Default: `to`. */
  knownBefore?: StoredRun | undefined
  /** Of a baseline: stored fingerprints that are not part of it. */
  held?: string[]
  /** A baseline without a run: all is new, and `from` is `to`. */
  isWithNothing?: boolean
}

const isBefore = (run: StoredRun, other: StoredRun): boolean =>
  run.at < other.at || (run.at === other.at && run.id < other.id)

/** Like `compareReports`, without conclusions of the scanner such as risk paths. */
export async function compareFindings(
  db: Db,
  vault: Vault,
  { from, to, knownBefore = to, held, isWithNothing = false }: ChosenRuns,
): Promise<{ compared: Compared; comparison: FindingsComparison }> {
  const after = await openFindings(db, vault, to)
  const before = isWithNothing ? withoutFindings(after) : await openBefore(db, vault, from)
  const findKnown = async (fingerprints: Buffer) =>
    isWithNothing ? new Set<number>() : findKnownFingerprints(db, knownBefore, vault.hideFingerprints(fingerprints))
  const joins = isWithNothing ? [] : await joinsBetween(db, vault, from, to)
  const difference = await compareRuns(before, after, findKnown, joins)
  if (held) {
    await settleFirstSeen(
      difference,
      (async function* () {
        for (let run = await findRunAfter(db, from); run && isBefore(run, to); run = await findRunAfter(db, run))
          yield compareRuns(await openBefore(db, vault, run), after, findKnown, joins)
      })(),
    )
  }
  await markExploited<{ check_id: string }>(
    db,
    difference.new,
    difference.resolved,
    difference.regressed,
    difference.changed,
    difference.suppressed,
    difference.renamed.findings,
  )
  const comparison: FindingsComparison = {
    success: true,
    cluster_name: to.run.cluster_name,
    environment: to.run.environment,
    ...(from.clusterId !== to.clusterId && { across_clusters: true }),
    from: { ...from.run, checks_not_run: before.checksNotRun.map(toCheckNotRun) },
    to: { ...to.run, checks_not_run: after.checksNotRun.map(toCheckNotRun) },
    score_delta: coverSame(before, after, difference.scopeChanges) ? scoreDelta(from.run, to.run) : null,
    ...toFindings(difference),
    scope_changes: difference.scopeChanges,
  }
  const held_findings = held && (await readHeld(after, held))
  return {
    compared: { before, after, from, to },
    comparison: { ...comparison, ...(held_findings && { held_findings }) },
  }
}

/** A run that looked at the same and found nothing. */
function withoutFindings(run: RunFindings): RunFindings {
  return { ...run, known: undefined, index: { ...run.index, records: Buffer.alloc(0), suppressed: [] } }
}

/**
 * What the baseline did not look at is compared with the first run since then that did: what that one found was there before,
 * and what came later is new.
 */
async function settleFirstSeen(difference: Difference, since: AsyncIterable<Difference>): Promise<void> {
  const toKeys = (findings: { fingerprint: string }[]) => new Set(findings.map(({ fingerprint }) => fingerprint))
  let open = toKeys(difference.firstSeen)
  if (open.size === 0) return
  for await (const next of since) {
    const came = open.intersection(toKeys(next.new))
    difference.new.push(...difference.firstSeen.filter(({ fingerprint }) => came.has(fingerprint)))
    difference.firstSeen = difference.firstSeen.filter(({ fingerprint }) => !came.has(fingerprint))
    open = open.intersection(toKeys(next.firstSeen))
    if (open.size === 0) return
  }
}

export type FindingsComparison = Omit<Comparison, 'risk_paths' | 'aks_readiness'>

interface Compared {
  before: Awaited<ReturnType<typeof openBefore>>
  after: Awaited<ReturnType<typeof openFindings>>
  from: StoredRun
  to: StoredRun
}

/** The findings of a run that are not part of its baseline, by their stored fingerprints. */
function readHeld(run: RunFindings, held: string[]) {
  const { records } = run.index
  return readFindings(
    run,
    held.flatMap((fingerprint) => findRecord(records, Buffer.from(fingerprint, 'hex')) ?? []),
  )
}

/** Lists of findings under their names in the contract, each with its count. */
function toFindings(difference: Difference) {
  return {
    new_findings: difference.new,
    resolved_findings: difference.resolved,
    regressed_findings: difference.regressed,
    changed_findings: difference.changed,
    suppressed_findings: difference.suppressed,
    event_findings: difference.events.came,
    event_findings_count: difference.events.came.length,
    renamed_workloads: difference.renamed.workloads,
    renamed_findings: difference.renamed.findings,
    renamed_findings_count: difference.renamed.findings.length,
    ended_event_findings_count: difference.events.ended,
    first_seen_findings: difference.firstSeen,
    back_in_scope_findings: difference.backInScope,
    not_looked_at_findings: difference.notLookedAt,
    not_looked_at_findings_count: difference.notLookedAt.length,
    at_rest_findings: difference.atRest,
    at_rest_findings_count: difference.atRest.length,
    new_findings_count: difference.new.length,
    resolved_findings_count: difference.resolved.length,
    regressed_findings_count: difference.regressed.length,
    changed_findings_count: difference.changed.length,
    suppressed_findings_count: difference.suppressed.length,
    first_seen_findings_count: difference.firstSeen.length,
    back_in_scope_findings_count: difference.backInScope.length,
    unchanged_findings_count: difference.unchangedCount,
    incomparable_findings_count: difference.incomparableCount,
    incomparable_findings: difference.incomparable,
  }
}

async function chooseRuns(db: Db, wanted: CompareRequest): Promise<ChosenRuns> {
  const { ownerId, clusterId, fromRunId, toRunId, since, baseline } = wanted
  const from = fromRunId === undefined ? undefined : await getRun(db, ownerId, fromRunId)
  const findLatest = () => (from ? findLatestOfSeries(db, from.seriesId) : findLatestRun(db, clusterId!))
  const to = toRunId === undefined ? await findLatest() : await getRun(db, ownerId, toRunId)
  if (!to) throw notFound('run')
  if (baseline) {
    const { from: own = to, held } = baseline
    return { from: own, to, knownBefore: own, held, isWithNothing: !baseline.from }
  }
  const before = from ?? (await findRunBeforeBuild(db, to, since))
  if (before) return { from: before, to, ...(!from && since !== undefined && { knownBefore: before }) }
  const { cluster_name, environment } = to.run
  const until = since === undefined ? '' : ` until ${formatTimestamp(since)}`
  throw new ReltError(
    'not_found',
    `No earlier report of cluster ${cluster_name} (${environment})${until} to compare with yet.`,
  )
}

/** Whether the scores of two runs cover the same checks and namespaces. */
function coverSame(before: RunFindings, after: RunFindings, scopeChanges: ScopeChanges): boolean {
  const [coverage, coverageNow] = [before, after].map(({ scope, checksNotRun }) => {
    const kinds = scope.unreadKinds?.map(({ kind }) => kind)
    const notRun = checksNotRun.map(({ id }) => id)
    return [scope.parts, scope.includedNamespaces, kinds, notRun].map((names) => names?.toSorted())
  })
  const isSameScope = Object.values(scopeChanges).every((names) => names.length === 0)
  return isSameScope && isDeepStrictEqual(coverage, coverageNow)
}

/** The change of the score without the checks that only the later run has; undefined if these are not all that differs. */
function commonScoreDelta(
  { before, after, from, to }: Compared,
  { was, is, scope_changes }: { was: Guidance; is: Guidance; scope_changes: ScopeChanges },
): number | undefined {
  const added = new Set(scope_changes.checks_added)
  const isMore = added.size > 0 && coverSame(before, after, { ...scope_changes, checks_added: [] })
  if (!isMore || was.totalWeight === null || scoreDelta(from.run, to.run) === null) return undefined
  const common = { ...is, totalWeight: was.totalWeight, checks: is.checks.filter(({ id }) => !added.has(id)) }
  return Math.round((scoreOfRows(common, ({ rows }) => rows) - from.run.score!) * 100) / 100
}

/** Rounded to two decimals, the maximum in scores. Null for scores by two different formulas. */
function scoreDelta(from: Run, to: Run): number | null {
  if (from.format !== to.format || from.score_source !== to.score_source || from.is_empty || to.is_empty) return null
  return from.score === null || to.score === null ? null : Math.round((to.score - from.score) * 100) / 100
}
