import type { ClusterProfile } from '../contract/cluster-profile.ts'
import { isObject } from '../util/json.ts'
import type { Artifacts } from './artifact.ts'
import { string } from './text.ts'

const most = 5000
const mostLabels = 100

/** Clusters of the fleet, of an inventory of their hub. */
export function readClusterProfiles({ clusterProfiles }: Record<string, unknown>): Pick<Artifacts, 'clusterProfiles'> {
  const rows = Array.isArray(clusterProfiles) ? clusterProfiles.filter(isObject).slice(0, most).flatMap(readOne) : []
  return rows.length > 0 ? { clusterProfiles: rows } : {}
}

function readOne(row: Record<string, unknown>): ClusterProfile[] {
  const name = short(row.name)
  if (!name) return []
  const labels = Array.isArray(row.labels) ? row.labels.flatMap((label) => short(label) ?? []) : []
  return [
    {
      ...{ namespace: short(row.namespace) ?? null, name, display_name: short(row.displayName) ?? null },
      ...{ manager: short(row.manager) ?? null, kubernetes_version: short(row.kubernetesVersion) ?? null },
      ...{ is_healthy: typeof row.healthy === 'boolean' ? row.healthy : null, labels: labels.slice(0, mostLabels) },
    },
  ]
}

const short = (value: unknown): string | undefined => string(value)?.slice(0, 1024)
