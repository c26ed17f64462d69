import { isObject } from '../util/json.ts'
import { word } from './helm-labels.ts'
import type { InventoryNode } from './inventory.ts'

/** What a node runs, from its object. Undefined for other objects. */
export function readNode(item: unknown): InventoryNode | undefined {
  if (!isObject(item) || !isObject(item.metadata)) return undefined
  const name = word(item.metadata.name)
  const info = isObject(item.status) && isObject(item.status.nodeInfo) ? item.status.nodeInfo : undefined
  if (name === undefined || !info) return undefined
  return {
    name,
    osImage: word(info.osImage) ?? null,
    kernelVersion: word(info.kernelVersion) ?? null,
    containerRuntimeVersion: word(info.containerRuntimeVersion) ?? null,
    kubeletVersion: word(info.kubeletVersion) ?? null,
  }
}
