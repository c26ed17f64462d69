import { isDeepStrictEqual } from 'node:util'
import { findingSeverities } from '../../contract/choices.ts'
import type { SeverityCounts } from '../../contract/cluster-metrics.ts'
import type { FindingSeverity } from '../../contract/scan-finding.ts'
import type { Lock } from '../../db/lock.ts'
import type { Db } from '../../db/open.ts'
import { takeLocks, write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'
import { type AssessedItem, assessArtifacts, lookupKeys } from '../../freshness/index.ts'
import { offeringFor } from '../../lifecycle/offering.ts'
import type { Artifacts } from '../../reports/artifact.ts'
import { getCatalogRevision } from '../../store/catalog/revision.ts'
import { type RunChanges, saveRunChanges } from '../../store/findings/scanner-change.ts'
import {
  type ClusterSummary,
  findLatestOfClusters,
  findScannerSummaries,
  type LatestOfCluster,
  listOutdatedClusters,
  type OutdatedCluster,
  type ScannerSummary,
  saveClusterSummary,
  saveScannerSummaries,
} from '../../store/fleet/summary.ts'
import { type NewEvent, recordEvents } from '../../store/notifications/record-event.ts'
import { getParts, replacePart, type SealedPart, saveAssessment } from '../../store/runs/part.ts'
import { getFindingRecords } from '../../store/runs/records.ts'
import { findRowIds } from '../../store/runs/run.ts'
import type { Asking } from '../findings/accepting.ts'
import { toChanges } from '../findings/run-changes.ts'
import { planCluster } from '../freshness/cluster-plan.ts'
import { type CompleteInventory, completeArtifacts } from '../freshness/complete-artifacts.ts'
import { hashCompromised } from '../freshness/compromised.ts'
import { toNodeComponents } from '../freshness/node-components.ts'
import { findPlanFactsFor, type PlanFacts } from '../freshness/plan-knowledge.ts'
import { sealAssessment } from '../freshness/run-assessment.ts'
import type { Vault } from '../keys/vault.ts'
import { compareFindings } from '../runs/compare.ts'
import { mergeArtifacts, readContext } from '../runs/context.ts'
import { countAssessed } from './count-assessed.ts'
import { countRepeated } from './count-repeated.ts'
import { countBlockers, type RunningFigures, toFigures, writeFigures } from './running-figures.ts'
import { runningOf, writeRunning } from './running-versions.ts'

interface RefreshOptions extends Omit<Asking, 'ownerId'> {
  /** All owners if absent. */
  ownerId?: number | undefined
  /** Also stores assessments of runs, which queries about all clusters would otherwise compute. */
  withAssessments?: boolean
}

/** Maximum clusters per call. */
const clustersAtOnce = 250
/** Maximum artifacts of these clusters, which are in memory together. */
const artifactsAtOnce = 20_000
/** Maximum clusters whose runs are compared. Comparing takes ten times as long as a catalog lookup. */
const comparisonsAtOnce = 50

/**
 * Recomputes outdated summaries of some clusters. They share one catalog lookup, one verdict on each image, and one
 * transaction, because each commit waits for the disk. Returns the number of updated summaries; 0: all are up to date.
 */
export async function refreshClusters(
  db: Db,
  { ownerId, vault, now, withAssessments = false }: RefreshOptions,
): Promise<number> {
  // Read before the catalog: a concurrent change makes the summaries outdated again.
  const revision = await getCatalogRevision(db)
  if (revision === undefined) return 0
  const found = await listOutdatedClusters(db, { ownerId, revision, now, limit: clustersAtOnce })
  const later = new Set(found.filter(({ hasSummary }) => !hasSummary).slice(comparisonsAtOnce))
  const outdated = found.filter((cluster) => !later.has(cluster))
  if (outdated.length === 0) return 0
  const owners = new Map(outdated.map(({ id, ownerId }) => [id, ownerId]))
  const clusters = await inspect(db, vault, outdated)
  const opened = await vault()
  const repeated = await countRepeated(
    db,
    opened,
    clusters.map(({ latest }) => latest),
  )
  const all = mergeArtifacts(clusters.flatMap(({ artifacts }) => artifacts ?? []))
  const known = await findPlanFactsFor(db, lookupKeys(all), now)
  const { catalog, facts } = known
  const made = clusters.map(({ latest, changes, context, artifacts, complete }) => {
    const assessed = artifacts ? assessArtifacts(artifacts, catalog) : []
    const nodes = (artifacts && toNodeComponents(artifacts, { catalog, rules: facts.skew })) ?? []
    const summary: ClusterSummary = {
      inventory_run_id: latest.inventoryRunId,
      catalog_revision: revision,
      repeated_critical: repeated.get(latest.clusterId) ?? 0,
      ...countAssessed(assessed, nodes, now),
    }
    const blockers = complete && countPlanBlockers(complete, { artifacts, assessed }, known)
    const parts = sealRunning(opened, latest, toFigures(assessed, { nodes, blockers, now }), assessed)
    const planted = hashCompromised(opened, latest.clusterId, assessed)
    const one = { latest, ownerId: owners.get(latest.clusterId)!, summary, changes, parts, planted }
    if (!withAssessments || !context) return one
    const assessment = sealAssessment(opened, latest.inventoryPublicId, assessed, revision)
    return { ...one, assessed: { assessment, context } }
  })
  return save(db, made, now)
}

/** Counts blockers of the cluster's next upgrade. */
function countPlanBlockers(
  complete: CompleteInventory,
  { artifacts, assessed }: { artifacts: Artifacts | undefined; assessed: AssessedItem[] },
  known: PlanFacts,
) {
  const { kubernetesVersion, provider } = complete.artifacts
  const isSame = kubernetesVersion === artifacts?.kubernetesVersion && provider === artifacts?.provider
  const { plan } = planCluster({ ...complete, ...(isSame && { items: assessed }), to: undefined }, known)
  return plan && countBlockers(plan, known.minorsFor(offeringFor(plan.kubernetes, complete.provider)))
}

/** Runs are looked up first, so that `save` detects runs that were added or removed in the meantime. */
async function inspect(db: Db, open: () => Promise<Vault>, outdated: OutdatedCluster[]) {
  const latestOf = await findLatestOfClusters(
    db,
    outdated.map(({ id }) => id),
  )
  const vault = await open()
  const present: OutdatedCluster[] = []
  let artifacts = 0
  for (const cluster of outdated) {
    const latest = latestOf.get(cluster.id)
    if (latest && artifacts < artifactsAtOnce) present.push(cluster)
    artifacts += latest?.artifacts ?? 0
  }
  const latest = present.map(({ id }) => latestOf.get(id)!)
  const changes = await findAllChanges(db, vault, present, latestOf)
  const contexts = await getParts(
    db,
    latest.map(({ inventoryRunId }) => inventoryRunId),
    'context',
  )
  const opened = latest.map((one) => {
    const context = contexts.get(one.inventoryRunId)
    const artifacts = context && readContext(vault, one.inventoryPublicId, context).artifacts
    return { latest: one, context, artifacts }
  })
  const inventories = opened.flatMap(({ latest: { inventoryRunId: runId, scanners }, artifacts }) =>
    artifacts ? [{ runId, scanners, artifacts }] : [],
  )
  const complete = (await completeArtifacts(db, vault, inventories)).values()
  return opened.map((one, index) => ({
    ...one,
    changes: changes[index]!,
    complete: one.artifacts && complete.next().value,
  }))
}

/** Changes by cluster, then series. */
async function findAllChanges(
  db: Db,
  vault: Vault,
  clusters: OutdatedCluster[],
  latestOf: Map<number, LatestOfCluster>,
) {
  const summaries = await findScannerSummaries(
    db,
    clusters.map(({ id }) => id),
  )
  const changes: Map<number, Changes>[] = []
  for (const { id, ownerId } of clusters) {
    const ofSeries = new Map<number, Changes>()
    for (const { seriesId, runId, publicId } of latestOf.get(id)!.scanners) {
      const stored = summaries.get(id)?.get(seriesId)
      // The catalog does not affect them: an outdated summary of the same run can be reused.
      const isSameRun = stored?.run_id === runId
      ofSeries.set(
        seriesId,
        isSameRun ? { figures: stored } : await findChanges(db, vault, { ownerId, runId, publicId }),
      )
    }
    changes.push(ofSeries)
  }
  return changes
}

interface Changes {
  figures: ScannerSummary
  /** Undefined if there is no earlier run, they are already stored, or there are too many. */
  records?: RunChanges | undefined
}

const firstRun: Omit<ScannerSummary, 'run_id'> = {
  from_run_id: null,
  score_delta: null,
  new_findings: null,
  new_critical: null,
  new_high: null,
  regressed_findings: null,
  regressed_critical: null,
  regressed_high: null,
  resolved_findings: null,
  changes: null,
}

async function findChanges(
  db: Db,
  vault: Vault,
  { ownerId, runId, publicId }: { ownerId: number; runId: number; publicId: string },
): Promise<Changes> {
  try {
    const asked = { ownerId, clusterId: undefined, toRunId: publicId, vault: async () => vault }
    const { comparison } = await compareFindings(db, asked)
    const { from, score_delta, new_findings, regressed_findings } = comparison
    const ids = await findRowIds(db, [from.run_id])
    const added = countSeverities(new_findings)
    const regressed = countSeverities(regressed_findings)
    const figures = {
      run_id: runId,
      from_run_id: ids.get(from.run_id)!,
      score_delta,
      new_findings: new_findings.length,
      new_critical: added.critical,
      new_high: added.high,
      regressed_findings: regressed_findings.length,
      regressed_critical: regressed.critical,
      regressed_high: regressed.high,
      resolved_findings: comparison.resolved_findings_count,
      changes: JSON.stringify({
        new: added,
        regressed,
        resolved: countSeverities(comparison.resolved_findings),
      }),
    }
    return { figures, records: toChanges(vault, await getFindingRecords(db, runId), comparison) }
  } catch (error) {
    if (error instanceof ReltError && error.code === 'not_found') return { figures: { run_id: runId, ...firstRun } }
    throw error
  }
}

function countSeverities(findings: { severity: FindingSeverity }[]): SeverityCounts {
  const counts = Object.fromEntries(findingSeverities.map((severity) => [severity, 0])) as SeverityCounts
  for (const { severity } of findings) counts[severity]++
  return counts
}

interface Made {
  latest: LatestOfCluster
  ownerId: number
  summary: ClusterSummary
  /** By series. */
  changes: Map<number, Changes>
  parts: SealedPart[]
  /** Hashes of compromised artifacts. */
  planted: string[]
  assessed?: Parameters<typeof saveAssessment>[2]
}

function sealRunning(
  vault: Vault,
  { inventoryPublicId }: LatestOfCluster,
  figures: RunningFigures,
  assessed: AssessedItem[],
): SealedPart[] {
  const { known, unknown } = runningOf(assessed)
  const parts = [writeRunning(known), writeRunning(unknown), writeFigures(figures)]
  return parts.map((content, part) => vault.seal(inventoryPublicId, 'running', part, content))
}

/** Returns the number saved: clusters whose runs changed in the meantime are skipped. */
async function save(db: Db, made: Made[], now: number): Promise<number> {
  const ids = made.map(({ latest }) => latest.clusterId).sort((a, b) => a - b)
  return write(db, 'nothing', async (trx) => {
    await takeLocks(
      trx,
      ids.map((id): Lock => `cluster:${id} runs`),
    )
    const latestNow = await findLatestOfClusters(trx, ids)
    const valid = made.filter(({ latest }) => isDeepStrictEqual(latestNow.get(latest.clusterId), latest))
    for (const { latest, summary, changes, parts, assessed } of valid) {
      const { clusterId: cluster_id } = latest
      for (const part of parts) await replacePart(trx, latest.inventoryRunId, part)
      await saveClusterSummary(trx, { cluster_id, ...summary })
      const figures = [...changes].map(([series, { figures }]) => [series, figures] as const)
      await saveScannerSummaries(trx, cluster_id, new Map(figures))
      for (const [series_id, { records }] of changes) {
        if (records) await saveRunChanges(trx, { cluster_id, series_id }, records)
      }
      if (assessed) await saveAssessment(trx, latest.inventoryRunId, assessed)
    }
    await recordEvents(
      trx,
      valid.flatMap((one) => compromisedEvents(one, now)),
    )
    return valid.length
  })
}

/** Creates one event per artifact and cluster, however often it is scanned. */
function compromisedEvents({ latest, ownerId, planted }: Made, now: number): NewEvent[] {
  const { clusterId, inventoryPublicId: runId } = latest
  return planted.map((artifact) => ({
    type: 'artifact.compromised',
    at: now,
    ownerId,
    clusterId,
    key: `artifact.compromised/${artifact}`,
    data: { runId, artifact },
  }))
}
