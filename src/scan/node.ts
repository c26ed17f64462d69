import { isObject } from '../util/json.ts'
import { word } from './helm-labels.ts'
import type { InventoryNode } from './inventory.ts'

/** Facts about a node, from its object. Undefined for other objects. */
export function readNode(item: unknown): InventoryNode | undefined {
  if (!isObject(item) || !isObject(item.metadata)) return undefined
  const name = word(item.metadata.name)
  const info = isObject(item.status) && isObject(item.status.nodeInfo) ? item.status.nodeInfo : undefined
  if (name === undefined || !info) return undefined
  const offering = toOffering(item.metadata)
  return {
    name,
    osImage: word(info.osImage) ?? null,
    containerRuntimeVersion: word(info.containerRuntimeVersion) ?? null,
    kubeletVersion: word(info.kubeletVersion) ?? null,
    ...(offering !== undefined && { offering }),
  }
}

/** Node labels that identify offerings whose Kubernetes versions do not name them. */
const offeringLabels: readonly [label: string, offering: string][] = [
  ['kubernetes.azure.com/node-image-version', 'aks'],
  ['kubernetes.azure.com/mode', 'aks'],
  ['doks.digitalocean.com/node-pool-id', 'doks'],
  ['lke.linode.com/pool-id', 'lke'],
]

/** AKS Engine and other clusters on Azure virtual machines have neither of its labels. */
function toOffering({ labels }: Record<string, unknown>) {
  if (!isObject(labels)) return undefined
  return offeringLabels.find(([label]) => Object.hasOwn(labels, label))?.[1]
}
