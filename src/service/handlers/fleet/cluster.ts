import type { FleetCluster } from '../../../contract/cluster.ts'
import type { Db } from '../../../db/open.ts'
import { insteadOf, notFound, ReltError } from '../../../errors.ts'
import { ensureCatalog } from '../../../operations/catalog/bundled.ts'
import { pageOfClusters, toCluster } from '../../../operations/fleet/clusters.ts'
import { measureFleet, mostOpened } from '../../../operations/fleet/metrics.ts'
import { refreshClusters } from '../../../operations/fleet/refresh.ts'
import { compareClusters, listVersions } from '../../../operations/fleet/versions.ts'
import { summarizeSources } from '../../../store/catalog/source.ts'
import { type ClusterFigures, listClusterFigures } from '../../../store/fleet/figures.ts'
import { listPromisedReports, type PromisedReports } from '../../../store/fleet/silence.ts'
import { changeCluster, deleteCluster, findClusterNamed, hasClusters } from '../../../store/runs/cluster.ts'
import { change, type HandlerContext, type Handlers } from '../../handler.ts'

export const clusterHandlers: Handlers<'cluster'> = {
  async listClusters(context, { query, owner }) {
    const { cluster_name: name, environment, label, sort, since, learn, page, per_page: perPage } = query
    await refresh(context, owner.id)
    const { db, now, vault } = context
    const all = await listClusterFigures(db, { ownerId: owner.id, name, environment, label }, now)
    const promised = await listPromisedReports(db, owner.id)
    // A cluster without runs has no labels.
    const isWanted = (each: PromisedReports) =>
      label === undefined &&
      (name === undefined || each.name === name) &&
      (environment === undefined || each.environment === environment)
    const fleet = { figures: all, promised, isWanted }
    return {
      success: true,
      ...(await pageOfClusters(db, fleet, { sort, since, learn, page, perPage }, { ownerId: owner.id, vault, now })),
    }
  },

  async getStatus({ db }) {
    const { total, failing, items } = await summarizeSources(db, 20)
    return { success: true, sources: { total, failing, items } }
  },

  async compareClusters(context, { query, owner }) {
    await refresh(context, owner.id)
    const { db, now, vault } = context
    const [from, to] = [await getFigures(db, owner.id, query.from, now), await getFigures(db, owner.id, query.to, now)]
    return compareClusters(db, { from, to }, { ownerId: owner.id, vault })
  },

  async listClusterVersions(context, { query, owner }) {
    await refresh(context, owner.id)
    const { db, now, vault } = context
    const clusters = await listClusterFigures(db, { ownerId: owner.id }, now)
    return listVersions(db, query.product_id, { ownerId: owner.id, clusters, vault, now })
  },

  async getClusterMetrics(context, { owner }) {
    await refresh(context, owner.id)
    const { db, now, vault } = context
    const clusters = await listClusterFigures(db, { ownerId: owner.id }, now)
    const promised = await listPromisedReports(db, owner.id)
    const mayOpen = context.keepsFigures ? mostOpened : Number.POSITIVE_INFINITY
    return measureFleet(db, { ownerId: owner.id, clusters, promised, vault, now, mayOpen })
  },

  async getCluster(context, { params, owner }) {
    await refresh(context, owner.id)
    return describe(context.db, params.cluster_id, { ownerId: owner.id, ...context })
  },

  async updateCluster({ db, vault, now }, { params, body, owner }) {
    const { id } = await getFigures(db, owner.id, params.cluster_id, now)
    return change(`cluster:${id} runs`, async (trx) => {
      const { name, environment } = await getFigures(trx, owner.id, params.cluster_id, now)
      const wanted = { name: body.cluster_name ?? name, environment: body.environment ?? environment }
      const other = await findClusterNamed(trx, owner.id, wanted)
      if (other && other.id !== id) throw taken(wanted, other.publicId)
      const labels = body.labels && [...new Set(body.labels)].sort()
      await changeCluster(trx, id, { ...wanted, labels, expectedEvery: body.expected_every })
      return { success: true, ...(await describe(trx, params.cluster_id, { ownerId: owner.id, vault, now })) }
    })
  },

  async deleteCluster({ db, now }, { params, owner }) {
    const { id } = await getFigures(db, owner.id, params.cluster_id, now)
    return change(`cluster:${id} runs`, async (trx) => {
      await getFigures(trx, owner.id, params.cluster_id, now)
      await deleteCluster(trx, id)
      return { success: true }
    })
  },
}

/**
 * On a read-only disk the figures are not updated; the answer states their age. Throws `key_unavailable`: without the
 * store's key, unknown figures would look like all is well.
 */
async function refresh({ db, vault, now, keepsFigures }: HandlerContext, ownerId: number): Promise<void> {
  if (!keepsFigures && (await hasClusters(db, ownerId))) await vault()
  const update = async () => {
    await ensureCatalog(db, now)
    if (!keepsFigures) await refreshClusters(db, { ownerId, vault, now })
  }
  await update().catch(insteadOf('store_read_only', undefined))
}

type Asking = Pick<HandlerContext, 'vault' | 'now'> & { ownerId: number }

async function describe(db: Db, publicId: string, { ownerId, vault, now }: Asking): Promise<FleetCluster> {
  const figures = await getFigures(db, ownerId, publicId, now)
  const promised = await listPromisedReports(db, ownerId)
  return toCluster(db, { figures, promised }, { ownerId, vault, now })
}

async function getFigures(db: Db, ownerId: number, publicId: string, now: number): Promise<ClusterFigures> {
  const [figures] = await listClusterFigures(db, { ownerId, publicId }, now)
  if (!figures) throw notFound('cluster', publicId)
  return figures
}

function taken({ name, environment }: { name: string; environment: string }, id: string): ReltError {
  return new ReltError('conflict', `Another cluster is named ${name} in the environment ${environment}.`, {
    id,
    hint: 'Two clusters are never merged. Delete one of them, or choose another name.',
  })
}
