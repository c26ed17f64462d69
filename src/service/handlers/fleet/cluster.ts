import type { FleetCluster } from '../../../contract/cluster.ts'
import type { Db } from '../../../db/open.ts'
import { notFound, ReltError } from '../../../errors.ts'
import { ensureCatalog } from '../../../operations/catalog/bundled.ts'
import type { Asking } from '../../../operations/findings/accepting.ts'
import { pageOfClusters, toCluster } from '../../../operations/fleet/clusters.ts'
import { measureFleet, mostOpened } from '../../../operations/fleet/metrics.ts'
import { refreshClusters } from '../../../operations/fleet/refresh.ts'
import { compareClusters, listVersions } from '../../../operations/fleet/versions.ts'
import { summarizeSources } from '../../../store/catalog/source.ts'
import { listClusterFigures } from '../../../store/fleet/figures.ts'
import { changeCluster, deleteCluster, findClusterNamed, hasClusters } from '../../../store/runs/cluster.ts'
import { change, type HandlerContext, type Handlers } from '../../handler.ts'

export const clusterHandlers: Handlers<'cluster'> = {
  async listClusters(context, { query, owner }) {
    const { cluster_name: name, environment, label, sort, since, learn, page, per_page: perPage } = query
    const asking = await refreshed(context, owner.id)
    const { db, now } = context
    const chosen = { name, environment, label }
    const figures = await listClusterFigures(db, { ownerId: owner.id, ...chosen }, now)
    const choice = { ...chosen, sort, since, learn, page, perPage }
    return { success: true, ...(await pageOfClusters(db, figures, choice, asking)) }
  },

  async getStatus({ db }) {
    const { total, failing, items } = await summarizeSources(db, 20)
    return { success: true, sources: { total, failing, items } }
  },

  async compareClusters(context, { query, owner }) {
    const asking = await refreshed(context, owner.id)
    const { db, now } = context
    const [from, to] = [await getFigures(db, owner.id, query.from, now), await getFigures(db, owner.id, query.to, now)]
    return compareClusters(db, { from, to }, asking)
  },

  async listClusterVersions(context, { query, owner }) {
    return listVersions(context.db, query.product_id, await refreshed(context, owner.id))
  },

  async getClusterMetrics(context, { owner }) {
    return measureFleet(context.db, {
      ...(await refreshed(context, owner.id)),
      mayOpen: context.keepsFigures ? mostOpened : Number.POSITIVE_INFINITY,
    })
  },

  async getCluster(context, { params, owner }) {
    return describe(context.db, params.cluster_id, await refreshed(context, owner.id))
  },

  async updateCluster({ db, vault, now, timeZone }, { params, body, owner }) {
    const { id } = await getFigures(db, owner.id, params.cluster_id, now)
    return change(`cluster:${id} runs`, async (trx) => {
      const { name, environment } = await getFigures(trx, owner.id, params.cluster_id, now)
      const wanted = { name: body.cluster_name ?? name, environment: body.environment ?? environment }
      const other = await findClusterNamed(trx, owner.id, wanted)
      if (other && other.id !== id) throw taken(wanted, other.publicId)
      const labels = body.labels && [...new Set(body.labels)].sort()
      await changeCluster(trx, id, { ...wanted, labels, expectedEvery: body.expected_every })
      return { success: true, ...(await describe(trx, params.cluster_id, { ownerId: owner.id, vault, now, timeZone })) }
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
async function refreshed(context: HandlerContext, ownerId: number): Promise<Asking> {
  const { db, vault, now, timeZone, keepsFigures } = context
  const asking = { ownerId, vault, now, timeZone }
  if (!keepsFigures && (await hasClusters(db, ownerId))) await vault()
  try {
    await ensureCatalog(db, now)
    if (!keepsFigures) await refreshClusters(db, asking)
  } catch (error) {
    if (!(error instanceof ReltError && error.code === 'store_read_only')) throw error
  }
  return asking
}

async function describe(db: Db, publicId: string, asking: Asking): Promise<FleetCluster> {
  return toCluster(db, await getFigures(db, asking.ownerId, publicId, asking.now), asking)
}

async function getFigures(db: Db, ownerId: number, publicId: string, now: number) {
  const [figures] = await listClusterFigures(db, { ownerId, publicId }, now)
  if (!figures) throw notFound('cluster', publicId)
  return figures
}

function taken({ name, environment }: { name: string; environment: string }, id: string) {
  return new ReltError('conflict', `Another cluster is named ${name} in the environment ${environment}.`, {
    id,
    hint: 'Two clusters are never merged. Delete one of them, or choose another name.',
  })
}
