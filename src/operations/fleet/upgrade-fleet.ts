import type { FleetUpgrade } from '../../contract/upgrade-fleet.ts'
import type { Db } from '../../db/open.ts'
import { prepareCatalog } from '../../freshness/index.ts'
import { type ClusterFigures, listClusterFigures, newestOf } from '../../store/fleet/figures.ts'
import { placeKey } from '../../store/fleet/place.ts'
import { findLatestOfClusters } from '../../store/fleet/summary.ts'
import { getParts } from '../../store/runs/part.ts'
import { compareEnvironments, mergeSteps, type NamedPlan, plannedCluster } from '../../upgrade/fleet.ts'
import { getCatalogDate } from '../catalog/bundled.ts'
import { findCatalog } from '../catalog/view.ts'
import { findUpgradeFacts } from '../facts/upgrade-facts.ts'
import { planCluster } from '../freshness/cluster-plan.ts'
import { findKnownAdvisories } from '../freshness/known-advisories.ts'
import { planFacts, planKeys } from '../freshness/plan-knowledge.ts'
import type { Vault } from '../keys/vault.ts'
import { mergeArtifacts, readContext } from '../runs/context.ts'

interface Options {
  ownerId: number
  label: string | undefined
  to: string | undefined
  /** Environments to upgrade first, in order. */
  order: readonly string[]
  vault: () => Promise<Vault>
  /** Unix seconds. */
  now: number
}

/** Clusters in memory at once. */
const clustersAtOnce = 100

/** The plans of all clusters of an owner, or of those with a label, each step once. */
export async function planFleet(db: Db, options: Options): Promise<FleetUpgrade> {
  const { ownerId, label, order, now } = options
  const clusters = await listClusterFigures(db, { ownerId, label }, now)
  const catalog_date = await getCatalogDate(db, now)
  const plans: NamedPlan[] = []
  for (let index = 0; index < clusters.length; index += clustersAtOnce) {
    plans.push(...(await planSome(db, clusters.slice(index, index + clustersAtOnce), options)))
  }
  const compare = compareEnvironments(order)
  const planned = new Set(plans.map(({ cluster_name: name, environment }) => placeKey({ name, environment })))
  const of = (verdict: NamedPlan['plan']['verdict']) => plans.filter(({ plan }) => plan.verdict === verdict).length
  return {
    success: true,
    catalog_date,
    summary: {
      ...{ clusters: clusters.length, ready: of('ready'), warnings: of('warnings'), blocked: of('blocked') },
      undetermined: of('undetermined'),
    },
    clusters: plans.toSorted((a, b) => compare(a.environment, b.environment)).map(plannedCluster),
    steps: mergeSteps(plans, order),
    not_planned: clusters
      .filter((cluster) => !planned.has(placeKey(cluster)))
      .map(({ name, environment }) => ({ cluster_name: name, environment })),
  }
}

async function planSome(db: Db, clusters: ClusterFigures[], options: Options): Promise<NamedPlan[]> {
  const vault = await options.vault()
  const latest = await findLatestOfClusters(
    db,
    clusters.map(({ id }) => id),
  )
  const ids = [...latest.values()].map(({ inventoryRunId }) => inventoryRunId)
  const contexts = await getParts(db, ids, 'context')
  const running = clusters.flatMap((cluster) => {
    const run = latest.get(cluster.id)
    const context = run && contexts.get(run.inventoryRunId)
    if (!context) return []
    return [{ cluster, run_id: run.inventoryPublicId, ...readContext(vault, run.inventoryPublicId, context) }]
  })
  const keys = planKeys(mergeArtifacts(running.map(({ artifacts }) => artifacts)))
  const catalog = prepareCatalog(await findCatalog(db, keys, options.now, findKnownAdvisories), options.now)
  const known = planFacts(catalog, await findUpgradeFacts(db))
  return running.map(({ cluster, run_id, artifacts }) => {
    const provider = newestOf(cluster.scanners, (one) => one.provider)
    const { plan } = planCluster({ artifacts, provider, to: options.to }, known)
    return { cluster_name: cluster.name, environment: cluster.environment, run_id, plan }
  })
}
