import type { FindingSeverity } from '../contract/scan-finding.ts'
import type { Db } from '../db/open.ts'
import { inTransaction } from '../db/transaction.ts'
import { ReltError } from '../errors.ts'
import { type AssessedItem, assessArtifacts, lookupKeys, prepareCatalog } from '../freshness/index.ts'
import { getCatalogRevision } from '../store/catalog-revision.ts'
import {
  type ClusterSummary,
  findClusterSummary,
  listOutdatedClusters,
  type OutdatedCluster,
  saveClusterSummary,
} from '../store/cluster-summary.ts'
import { findLatestInventory, findLatestRun, type StoredRun } from '../store/run.ts'
import { replacePart } from '../store/run-part.ts'
import { parseTimestamp } from '../util/time.ts'
import { findCatalog } from './catalog-view.ts'
import { compareReports } from './compare-reports.ts'
import { findKnownAdvisories } from './known-advisories.ts'
import { mergeArtifacts, openContext } from './run-context.ts'
import { runningOf, writeRunning } from './running-versions.ts'
import type { Vault } from './vault.ts'

interface RefreshOptions {
  /** All owners when not given. */
  ownerId?: number | undefined
  vault: () => Promise<Vault>
  /** Unix seconds. */
  now: number
  /** Clusters of one call. */
  limit: number
}

/** Days before the end of a support in which it is about to end. */
const soonDays = 90
const daySeconds = 86_400

/**
 * Makes the summaries again that a run or the catalog changed, of so many clusters at once. The clusters of a call share
 * one look into the catalog. Returns how many were made.
 */
export async function refreshClusters(db: Db, { ownerId, vault, now, limit }: RefreshOptions): Promise<number> {
  // Read before the catalog: what changes meanwhile makes the summaries old again.
  const revision = await getCatalogRevision(db)
  if (revision === undefined) return 0
  const outdated = await listOutdatedClusters(db, { ownerId, revision, now, limit })
  if (outdated.length === 0) return 0
  const opened = await vault()
  const clusters: Inspected[] = []
  for (const cluster of outdated) clusters.push(await inspect(db, opened, cluster))
  const all = mergeArtifacts(clusters.flatMap(({ inventory }) => inventory?.artifacts ?? []))
  const catalog = prepareCatalog(await findCatalog(db, lookupKeys(all), now, findKnownAdvisories), now)
  let made = 0
  for (const { cluster, latest, changes, inventory } of clusters) {
    const assessed = inventory ? assessArtifacts(inventory.artifacts, catalog) : []
    const summary: ClusterSummary = {
      run_id: latest.id,
      ...changes,
      inventory_run_id: inventory?.run.id ?? null,
      catalog_revision: revision,
      ...countAssessed(assessed, now),
    }
    if (await save(db, opened, { cluster, latest, summary, inventory: inventory?.run, assessed })) made++
  }
  return made
}

interface Inspected {
  cluster: OutdatedCluster
  latest: StoredRun
  changes: Changes
  inventory: { run: StoredRun; artifacts: Parameters<typeof assessArtifacts>[0] } | undefined
}

async function inspect(db: Db, vault: Vault, cluster: OutdatedCluster): Promise<Inspected> {
  const changes = await findChanges(db, vault, cluster)
  const latest = (await findLatestRun(db, cluster.id))!
  const run = await findLatestInventory(db, cluster.id)
  const context = run && (await openContext(db, vault, run.id, run.run.run_id))
  return { cluster, latest, changes, inventory: context && { run, artifacts: context.artifacts } }
}

type Changes = Pick<
  ClusterSummary,
  | 'from_run_id'
  | 'score_delta'
  | 'new_findings'
  | 'new_critical'
  | 'new_high'
  | 'regressed_findings'
  | 'regressed_critical'
  | 'regressed_high'
  | 'resolved_findings'
>

const firstRun: Changes = {
  from_run_id: null,
  score_delta: null,
  new_findings: null,
  new_critical: null,
  new_high: null,
  regressed_findings: null,
  regressed_critical: null,
  regressed_high: null,
  resolved_findings: null,
}

/** The catalog changes nothing of them: an old summary still has them. */
async function findChanges(db: Db, vault: Vault, { id, ownerId }: OutdatedCluster): Promise<Changes> {
  const stored = await findClusterSummary(db, id)
  if (stored) return stored
  try {
    const comparison = await compareReports(db, { ownerId, clusterId: id, vault: async () => vault })
    const { from, score_delta, new_findings, regressed_findings, resolved_findings_count } = comparison
    const of = (findings: { severity: FindingSeverity }[], severity: FindingSeverity) =>
      findings.filter((finding) => finding.severity === severity).length
    return {
      from_run_id: await rowIdOf(db, from.run_id),
      score_delta,
      new_findings: new_findings.length,
      new_critical: of(new_findings, 'critical'),
      new_high: of(new_findings, 'high'),
      regressed_findings: regressed_findings.length,
      regressed_critical: of(regressed_findings, 'critical'),
      regressed_high: of(regressed_findings, 'high'),
      resolved_findings: resolved_findings_count,
    }
  } catch (error) {
    if (error instanceof ReltError && error.code === 'not_found') return firstRun
    throw error
  }
}

async function rowIdOf(db: Db, runId: string): Promise<number> {
  const { findRowIds } = await import('../store/run.ts')
  return (await findRowIds(db, [runId])).get(runId)!
}

type Counts = Omit<ClusterSummary, keyof Changes | 'run_id' | 'inventory_run_id' | 'catalog_revision'>

/** Components that only their vendor upgrades are not behind; Kubernetes itself is no artifact. */
function countAssessed(assessed: AssessedItem[], now: number): Counts {
  const counts = { artifacts: 0, known: 0, minor_behind: 0, major_behind: 0, affected: 0 }
  const worst = { affected_critical: 0, affected_high: 0 }
  const supports = new Map<string, AssessedItem['support'] & object>()
  for (const { type, verdict, managedBy, security, support } of assessed) {
    if (type !== 'kubernetes') {
      counts.artifacts++
      if (verdict.status !== 'unknown') counts.known++
    }
    if (support) supports.set(`${support.name} ${support.date}`, support)
    if (managedBy?.isOwn) continue
    if (verdict.status === 'minor_behind' || verdict.status === 'major_behind') counts[verdict.status]++
    const [advisory] = security?.advisories ?? []
    if (advisory) counts.affected++
    if (advisory?.severity === 'critical' || advisory?.severity === 'high') worst[`affected_${advisory.severity}`]++
  }
  const ends = [...supports.values()].flatMap(({ date }) => (date === null ? [] : (parseTimestamp(date) ?? [])))
  const isSoon = (end: number) => end - now < soonDays * daySeconds
  const open = [...supports.values()].filter(({ is_eol }) => !is_eol)
  const ending = open.filter(({ date }) => date !== null && isSoon(parseTimestamp(date) ?? Number.POSITIVE_INFINITY))
  const boundaries = ends.flatMap((end) => [end - soonDays * daySeconds, end, end + daySeconds])
  return {
    ...counts,
    ...worst,
    ended: supports.size - open.length,
    ending: ending.length,
    // The largest time of a timestamp, when nothing ends.
    valid_until: Math.min(253_402_300_799, ...boundaries.filter((time) => time > now)),
  }
}

interface Made {
  cluster: OutdatedCluster
  latest: StoredRun
  summary: ClusterSummary
  inventory: StoredRun | undefined
  assessed: AssessedItem[]
}

/** False when a run came or went meanwhile. */
async function save(db: Db, vault: Vault, { cluster, latest, summary, inventory, assessed }: Made): Promise<boolean> {
  const { known, unknown } = runningOf(assessed)
  const parts = inventory
    ? [known, unknown].map((projects, part) =>
        vault.seal(inventory.run.run_id, 'running', part, writeRunning(projects)),
      )
    : []
  return inTransaction(db, async (trx) => {
    const latestNow = await findLatestRun(trx, cluster.id)
    const inventoryNow = await findLatestInventory(trx, cluster.id)
    if (latestNow?.id !== latest.id || inventoryNow?.id !== inventory?.id) return false
    for (const part of parts) await replacePart(trx, inventory!.id, part)
    await saveClusterSummary(trx, { cluster_id: cluster.id, ...summary })
    return true
  })
}
