import type { Db } from '../../db/open.ts'
import { namedProvider } from '../../lifecycle/offering.ts'
import type { Artifacts } from '../../reports/artifact.ts'
import type { LatestOfSeries } from '../../store/runs/latest-of-series.ts'
import { getParts } from '../../store/runs/part.ts'
import type { Vault } from '../keys/vault.ts'
import { readContext } from '../runs/context.ts'

/** A run with its inventory, and the latest run of each scanner of the cluster. */
export interface InventoryOfCluster {
  runId: number
  artifacts: Artifacts
  scanners: readonly LatestOfSeries[]
}

export interface CompleteInventory {
  artifacts: Artifacts
  /** Provider named by the newest run. */
  provider: string | null
}

/** Adds facts about Kubernetes and nodes from other scanners, because the run with the inventory may lack them. */
export async function completeArtifacts(
  db: Db,
  vault: Vault,
  clusters: readonly InventoryOfCluster[],
): Promise<CompleteInventory[]> {
  const wanted = clusters.map(({ runId, artifacts, scanners }) =>
    artifacts.nodes ? [] : scanners.filter((one) => one.runId !== runId).sort(newestFirst),
  )
  const parts = await getParts(
    db,
    wanted.flat().map(({ runId }) => runId),
    'context',
  )
  return clusters.map(({ artifacts, scanners }, index) => {
    const known = wanted[index]!.flatMap(({ runId, publicId }) => {
      const part = parts.get(runId)
      return part ? [readContext(vault, publicId, part).artifacts] : []
    })
    const nodes = known.find((one) => one.nodes)
    const newest = scanners.toSorted(newestFirst)
    const stated = newest.find(({ kubernetesVersion }) => kubernetesVersion !== null)
    const provider = namedProvider(newest.map((one) => one.provider))
    return {
      provider,
      artifacts: {
        ...artifacts,
        ...(nodes && { nodes: nodes.nodes!, apis: nodes.apis ?? [] }),
        kubernetesVersion: stated?.kubernetesVersion ?? artifacts.kubernetesVersion,
        ...(provider !== null && { provider }),
      },
    }
  })
}

/** An inventory that lists nodes is complete, so other runs are not needed. */
const newestFirst = (a: LatestOfSeries, b: LatestOfSeries) => b.at - a.at || b.runId - a.runId
