import { object, objects } from '../reports/formats/values.ts'
import { isObject } from '../util/json.ts'
import { word } from './helm-labels.ts'

/** A cluster of the fleet, as listed by a hub; `null` means unknown. */
export interface InventoryClusterProfile {
  namespace: string
  name: string
  displayName: string | null
  manager: string | null
  kubernetesVersion: string | null
  /** From the conditions of its control plane. */
  healthy: boolean | null
  /** `env=prod`; only labels set by users. */
  labels: string[]
}

const maxClusterProfiles = 5000
const mostLabels = 50

/** Collects the clusters of a fleet. */
export class ClusterProfiles {
  readonly #found = new Map<string, InventoryClusterProfile>()
  isFull = false

  /** Ignores objects other than ClusterProfiles. */
  add(item: unknown): void {
    const profile = readClusterProfile(item)
    if (!profile) return
    if (this.#found.size < maxClusterProfiles) this.#found.set(`${profile.namespace}/${profile.name}`, profile)
    else this.isFull = true
  }

  all(): { clusterProfiles?: InventoryClusterProfile[] } {
    return this.#found.size > 0 ? { clusterProfiles: [...this.#found.values()] } : {}
  }
}

/** Parses a ClusterProfile of the cluster inventory API. Undefined for other objects. */
function readClusterProfile(item: unknown): InventoryClusterProfile | undefined {
  const { metadata, spec, status } = object(item)
  const { name, namespace, labels } = object(metadata)
  const named = word(name)
  if (named === undefined || !isObject(spec)) return undefined
  return {
    namespace: word(namespace) ?? 'default',
    name: named,
    displayName: word(spec.displayName) ?? null,
    manager: word(object(spec.clusterManager).name) ?? null,
    kubernetesVersion: word(object(object(status).version).kubernetes) ?? null,
    healthy: toHealth(object(status).conditions),
    labels: Object.entries(object(labels))
      .flatMap(([key, value]) => (/(?:^|[.-])(?:k8s|kubernetes)\.io\//.test(key) ? [] : [`${key}=${value}`]))
      .slice(0, mostLabels),
  }
}

function toHealth(conditions: unknown): boolean | null {
  const status = objects(conditions).find(({ type }) => type === 'ControlPlaneHealthy')?.status
  return status === 'True' ? true : status === 'False' ? false : null
}
