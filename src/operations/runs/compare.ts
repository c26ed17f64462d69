import { isDeepStrictEqual } from 'node:util'
import type { Comparison, Run, ScopeChanges } from '../../contract/cluster-report.ts'
import type { Db } from '../../db/open.ts'
import { notFound, ReltError } from '../../errors.ts'
import { compareRuns, type Difference } from '../../reports/compare.ts'
import { compareReadiness } from '../../reports/compare-readiness.ts'
import { compareRiskPaths } from '../../reports/compare-risk-paths.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import { toCheckNotRun } from '../../reports/run-record.ts'
import { findKnownFingerprints } from '../../store/runs/finding-history.ts'
import { findLatestOfSeries, findLatestRun } from '../../store/runs/latest-run.ts'
import { getRun } from '../../store/runs/run.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { markExploited } from '../facts/exploited-findings.ts'
import type { Vault } from '../keys/vault.ts'
import { findRunBeforeBuild } from './build.ts'
import { openGuidance } from './guidance.ts'
import { openBefore, openFindings } from './open-findings.ts'

interface CompareRequest {
  ownerId: number
  /** The cluster whose latest run is used if no run is named. */
  clusterId: number | undefined
  fromRunId?: string | undefined
  toRunId?: string | undefined
  vault: () => Promise<Vault>
}

/**
 * Compares two named runs, or the named or latest run with the previous one of its series. Throws `not_found` if a run is
 * missing.
 */
export async function compareReports(db: Db, wanted: CompareRequest): Promise<Comparison> {
  const { compared, comparison } = await compareFindings(db, wanted)
  const { scope_changes, ...findings } = comparison
  const { before, after, from, to } = compared
  const vault = await wanted.vault()
  const [was, is] = await Promise.all([openGuidance(db, vault, from), openGuidance(db, vault, to)])
  return {
    ...findings,
    risk_paths: compareRiskPaths({ ...before, paths: was.riskPaths }, { ...after, paths: is.riskPaths }),
    aks_readiness: compareReadiness(
      { ...before, readiness: was.aksReadiness },
      { ...after, readiness: is.aksReadiness },
    ),
    scope_changes,
  }
}

/** Like `compareReports`, without conclusions of the scanner such as risk paths. */
export async function compareFindings(
  db: Db,
  wanted: CompareRequest,
): Promise<{ compared: Compared; comparison: FindingsComparison }> {
  const { from, to } = await chooseRuns(db, wanted)
  const vault = await wanted.vault()
  const [before, after] = await Promise.all([openBefore(db, vault, from), openFindings(db, vault, to)])
  const difference = await compareRuns(before, after, (fingerprints) =>
    findKnownFingerprints(db, to, vault.hideFingerprints(fingerprints)),
  )
  await markExploited<{ check_id: string }>(
    db,
    difference.new,
    difference.resolved,
    difference.regressed,
    difference.changed,
    difference.suppressed,
  )
  const comparison: FindingsComparison = {
    success: true,
    cluster_name: to.run.cluster_name,
    environment: to.run.environment,
    ...(from.clusterId !== to.clusterId && { across_clusters: true as const }),
    from: { ...from.run, checks_not_run: before.checksNotRun.map(toCheckNotRun) },
    to: { ...to.run, checks_not_run: after.checksNotRun.map(toCheckNotRun) },
    score_delta: coverSame(before, after, difference.scopeChanges) ? scoreDelta(from.run, to.run) : null,
    ...toFindings(difference),
    scope_changes: difference.scopeChanges,
  }
  return { compared: { before, after, from, to }, comparison }
}

export type FindingsComparison = Omit<Comparison, 'risk_paths' | 'aks_readiness'>

interface Compared {
  before: Awaited<ReturnType<typeof openBefore>>
  after: Awaited<ReturnType<typeof openFindings>>
  from: StoredRun
  to: StoredRun
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
    renamed_workloads: difference.renamed,
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

async function chooseRuns(db: Db, wanted: CompareRequest): Promise<{ from: StoredRun; to: StoredRun }> {
  const { ownerId, clusterId, fromRunId, toRunId } = wanted
  const from = fromRunId === undefined ? undefined : await getRun(db, ownerId, fromRunId)
  const findLatest = () => (from ? findLatestOfSeries(db, from.seriesId) : findLatestRun(db, clusterId!))
  const to = toRunId === undefined ? await findLatest() : await getRun(db, ownerId, toRunId)
  if (!to) throw notFound('run')
  const before = from ?? (await findRunBeforeBuild(db, to))
  if (before) return { from: before, to }
  const { cluster_name, environment } = to.run
  throw new ReltError('not_found', `No earlier report of cluster ${cluster_name} (${environment}) to compare with yet.`)
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

/** Rounded to two decimals, the maximum in scores. Null for scores by two different formulas. */
function scoreDelta(from: Run, to: Run): number | null {
  if (from.format !== to.format || from.score_source !== to.score_source || from.is_empty || to.is_empty) return null
  return from.score === null || to.score === null ? null : Math.round((to.score - from.score) * 100) / 100
}
