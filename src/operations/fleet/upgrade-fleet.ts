import type { FleetUpgrade } from '../../contract/upgrade-fleet.ts'
import type { Db } from '../../db/open.ts'
import { lookupKeys } from '../../freshness/index.ts'
import type { ImageArtifact } from '../../reports/artifact.ts'
import { artifactOwners } from '../../reports/artifact-owners.ts'
import type { Ownership } from '../../reports/ownership.ts'
import { type ClusterFigures, listClusterFigures } from '../../store/fleet/figures.ts'
import { placeKey } from '../../store/fleet/place.ts'
import { findLatestOfClusters } from '../../store/fleet/summary.ts'
import { getParts } from '../../store/runs/part.ts'
import { compareEnvironments, mergeSteps, type NamedPlan, plannedCluster } from '../../upgrade/fleet.ts'
import { getCatalogDate } from '../catalog/bundled.ts'
import type { Asking } from '../findings/accepting.ts'
import { findOwnershipFor } from '../findings/ownership.ts'
import { planCluster } from '../freshness/cluster-plan.ts'
import { completeArtifacts } from '../freshness/complete-artifacts.ts'
import { findPlanFactsFor, type PlanFacts } from '../freshness/plan-knowledge.ts'
import { mergeArtifacts, readContext } from '../runs/context.ts'

interface Options extends Asking {
  label: string | undefined
  to: string | undefined
  /** Environments to upgrade first, in order. */
  order: readonly string[]
}

/** Maximum clusters in memory at once. */
const clustersAtOnce = 10

/** Upgrade plans for all clusters of an owner, or for those with a label, with each step once. */
export async function planFleet(db: Db, options: Options): Promise<FleetUpgrade> {
  const { ownerId, label, order, now } = options
  const clusters = await listClusterFigures(db, { ownerId, label }, now)
  const plans: NamedPlan[] = []
  const knowledge = new FleetKnowledge(db, now)
  const ownership = await findOwnershipFor(db, ownerId, options.vault)
  for (let index = 0; index < clusters.length; index += clustersAtOnce) {
    plans.push(
      ...(await planSome(db, clusters.slice(index, index + clustersAtOnce), { ...options, knowledge, ownership })),
    )
  }
  const compare = compareEnvironments(order)
  const planned = new Set(plans.map(({ cluster_name: name, environment }) => placeKey({ name, environment })))
  const of = (verdict: NamedPlan['plan']['verdict']) => plans.filter(({ plan }) => plan.verdict === verdict).length
  return {
    success: true,
    catalog_date: plans.map(({ plan }) => plan.catalog_date).sort()[0] ?? (await getCatalogDate(db, now)),
    summary: {
      clusters: clusters.length,
      ready: of('ready'),
      warnings: of('warnings'),
      blocked: of('blocked'),
      undetermined: of('undetermined'),
    },
    clusters: plans.toSorted((a, b) => compare(a.environment, b.environment)).map(plannedCluster),
    steps: mergeSteps(plans, order),
    not_planned: clusters
      .filter((cluster) => !planned.has(placeKey(cluster)))
      .map(({ name, environment }) => ({ cluster_name: name, environment })),
  }
}

async function planSome(
  db: Db,
  clusters: ClusterFigures[],
  options: Options & { knowledge: FleetKnowledge; ownership: Ownership },
): Promise<NamedPlan[]> {
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
    const { artifacts } = readContext(vault, run.inventoryPublicId, context)
    return [{ cluster, run_id: run.inventoryPublicId, runId: run.inventoryRunId, scanners: run.scanners, artifacts }]
  })
  const complete = await completeArtifacts(db, vault, running)
  const known = await options.knowledge.about(mergeArtifacts(complete.map(({ artifacts }) => artifacts)))
  return running.map(({ cluster, run_id }, index) => {
    const { artifacts } = complete[index]!
    const place = { cluster_name: cluster.name, environment: cluster.environment }
    const ownersFor = artifactOwners(options.ownership, place, artifacts)
    const { plan: made } = planCluster({ ...complete[index]!, to: options.to, ownersFor }, known)
    const { catalog_date, verdict, kubernetes, from, to, reasons, steps } = made
    // Drops the rest of the plan to save memory.
    const plan = { catalog_date, verdict, kubernetes, from, to, reasons, steps }
    return { ...place, run_id, plan }
  })
}

/** Catalog facts about running artifacts, shared by the plans of all clusters, because most run the same ones. */
class FleetKnowledge {
  readonly #db: Db
  readonly #now: number
  readonly #references = new Set<string>()
  readonly #repositories = new Set<string>()
  readonly #names = new Set<string>()
  #known: PlanFacts | undefined

  constructor(db: Db, now: number) {
    this.#db = db
    this.#now = now
  }

  async about(artifacts: Parameters<typeof lookupKeys>[0]) {
    const { repositories, names } = lookupKeys({ ...artifacts, images: this.#newOf(artifacts.images) })
    const isNew = [addAll(this.#repositories, repositories), addAll(this.#names, names)].includes(true)
    if (!this.#known || isNew) {
      const keys = { repositories: [...this.#repositories], names: [...this.#names] }
      this.#known = await findPlanFactsFor(this.#db, keys, this.#now)
    }
    return this.#known
  }

  /** Images that no earlier cluster had: detecting the upstream of a copied image is slow. */
  #newOf(images: readonly ImageArtifact[]) {
    const found = images.filter(({ reference }) => !this.#references.has(reference))
    for (const { reference } of found) this.#references.add(reference)
    return found
  }
}

/** Adds names to a set. Returns whether any of them is new. */
function addAll(known: Set<string>, more: readonly string[]) {
  const before = known.size
  for (const one of more) known.add(one)
  return known.size > before
}
