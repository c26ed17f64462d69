import { isDeepStrictEqual } from 'node:util'
import { findingSeverities } from '../../contract/choices.ts'
import type { News } from '../../contract/cluster.ts'
import type { SeverityCounts } from '../../contract/cluster-metrics.ts'
import type { ChangedFinding } from '../../contract/cluster-report.ts'
import type { Lock } from '../../db/lock.ts'
import type { Db } from '../../db/open.ts'
import { takeLocks, write } from '../../db/transaction.ts'
import { type AssessedItem, assessArtifacts, lookupKeys } from '../../freshness/index.ts'
import { offeringFor } from '../../lifecycle/offering.ts'
import type { Artifacts } from '../../reports/artifact.ts'
import { countRanks, fingerprintsAt, offsetsIn, rankAt, recordLength } from '../../reports/finding-records.ts'
import { grownAmong } from '../../reports/grown.ts'
import { newsSince } from '../../reports/news-since.ts'
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
import { listFirstSeen } from '../../store/runs/finding-history.ts'
import { getParts, replacePart, type SealedPart, saveAssessment } from '../../store/runs/part.ts'
import { getFindingRecords } from '../../store/runs/records.ts'
import { defined } from '../../util/defined.ts'
import type { UnixSeconds } from '../../util/time.ts'
import type { Asking } from '../findings/accepting.ts'
import { findNews, findRunsSince, type RunNews } from '../findings/run-changes.ts'
import { planCluster } from '../freshness/cluster-plan.ts'
import { type CompleteInventory, completeArtifacts } from '../freshness/complete-artifacts.ts'
import { hashCompromised } from '../freshness/compromised.ts'
import { toNodeComponents } from '../freshness/node-components.ts'
import { findPlanFactsFor, type PlanFacts } from '../freshness/plan-knowledge.ts'
import { sealAssessment } from '../freshness/run-assessment.ts'
import type { Unlock, Vault } from '../keys/vault.ts'
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
  { ownerId, vault, now, timeZone, withAssessments = false }: RefreshOptions,
) {
  // Read before the catalog: a concurrent change makes the summaries outdated again.
  const revision = await getCatalogRevision(db)
  if (revision === undefined) return 0
  const since = newsSince(now, timeZone)
  const found = await listOutdatedClusters(db, { ownerId, revision, since, now, limit: clustersAtOnce })
  const later = new Set(found.filter(({ isCompared }) => !isCompared).slice(comparisonsAtOnce))
  const outdated = found.filter((cluster) => !later.has(cluster))
  if (outdated.length === 0) return 0
  const owners = new Map(outdated.map(({ id, ownerId }) => [id, ownerId]))
  const clusters = await inspect(db, vault, { outdated, since })
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
      since,
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
async function inspect(db: Db, open: Unlock, { outdated, since }: { outdated: OutdatedCluster[]; since: UnixSeconds }) {
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
  const changes = await findAllChanges(db, vault, latest, since)
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
async function findAllChanges(db: Db, vault: Vault, clusters: LatestOfCluster[], since: UnixSeconds) {
  const summaries = await findScannerSummaries(
    db,
    clusters.map(({ clusterId }) => clusterId),
  )
  const changes: Map<number, Changes>[] = []
  for (const { clusterId: id, scanners } of clusters) {
    const ofSeries = new Map<number, Changes>()
    for (const { seriesId, runId } of scanners) {
      const stored = summaries.get(id)?.get(seriesId)
      const runs = await findRunsSince(db, runId, since)
      // The catalog does not affect them: an outdated summary of the same runs can be reused.
      const isSame = stored?.run_id === runId && stored.from_run_id === (runs.from?.id ?? null)
      if (isSame) ofSeries.set(seriesId, { figures: stored })
      else {
        const { figures, ...records } = await findChanges(db, vault, runs)
        const isStored = records.new.length + records.regressed.length <= mostStored
        ofSeries.set(seriesId, { figures, records: isStored ? records : null })
      }
    }
    changes.push(ofSeries)
  }
  return changes
}

interface Changes {
  figures: ScannerSummary
  /** Undefined if they are already stored, null if there are too many. */
  records?: RunChanges | null
}

/** More changes are not stored: lists read the changes of many runs at once. */
const mostStored = 1000 * recordLength

export async function findChanges(
  db: Db,
  vault: Vault,
  runs: Awaited<ReturnType<typeof findRunsSince>>,
): Promise<Omit<RunNews, 'comparison'> & { figures: ScannerSummary }> {
  const { comparison, ...news } = await findNews(db, vault, runs)
  const [added, regressed] = [bySeverity(countRanks(news.new)), bySeverity(countRanks(news.regressed))]
  const ended = comparison?.resolved_findings ?? []
  const resolved = bySeverity(findingSeverities.map((each) => ended.filter(({ severity }) => severity === each).length))
  const figures = {
    run_id: runs.to.id,
    from_run_id: runs.from?.id ?? null,
    score_delta: comparison?.score_delta ?? null,
    new_findings: news.new.length / recordLength,
    new_critical: added.critical,
    new_high: added.high,
    regressed_findings: news.regressed.length / recordLength,
    regressed_critical: regressed.critical,
    regressed_high: regressed.high,
    resolved_findings: ended.length,
    changes: JSON.stringify({ new: added, regressed, resolved, grown: growthIn(comparison?.changed_findings ?? []) }),
    oldest_critical: await findOldestCritical(db, runs.to.clusterId, await getFindingRecords(db, runs.to.id)),
  }
  return { ...news, figures }
}

function growthIn(changed: ChangedFinding[]): News['grown'] {
  const grown = grownAmong(changed)
  const [widest] = grown
  if (!widest) return undefined
  const { from, to } = widest
  return {
    findings: grown.length,
    from: from.count ?? 1,
    to: to.count ?? 1,
    ...defined({ from_of: from.of, to_of: to.of }),
  }
}

/** When the oldest of the critical findings among these records was first seen. */
export async function findOldestCritical(
  db: Db,
  clusterId: number,
  records: Buffer,
  isOpen: (at: number) => boolean = () => true,
): Promise<UnixSeconds | null> {
  const critical = offsetsIn(records).filter((at) => rankAt(records, at) === 0 && isOpen(at))
  const firsts = await listFirstSeen(db, clusterId, fingerprintsAt(records, critical))
  return firsts.size === 0 ? null : firsts.values().reduce((a, b) => Math.min(a, b))
}

const bySeverity = (counts: number[]) =>
  Object.fromEntries(findingSeverities.map((severity, rank) => [severity, counts[rank]!])) as SeverityCounts

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
async function save(db: Db, made: Made[], now: number) {
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
        if (records !== undefined) await saveRunChanges(trx, { cluster_id, series_id }, records)
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
