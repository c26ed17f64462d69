import type { Metadata } from './helm-labels.ts'
import { word } from './helm-labels.ts'

/** An object, or a namespace with all its objects, and its owner by labels. */
export interface InventoryOwnerLabel {
  namespace: string
  /** Null for the namespace. */
  workloadKind: string | null
  workloadName: string | null
  owner: string
}

/** Label names for an owner, with any prefix, such as `example.com/team`. The first match counts. */
const names = ['owner', 'team']

/** The owner in labels, or else annotations. */
export function toOwnerLabel({ labels, annotations }: Pick<Metadata, 'labels' | 'annotations'>): string | undefined {
  for (const name of names) {
    for (const texts of [labels, annotations]) {
      const key = Object.keys(texts)
        .sort((one, other) => one.length - other.length || (one < other ? -1 : 1))
        .find((each) => each === name || each.endsWith(`/${name}`))
      const owner = key === undefined ? undefined : word(texts[key])?.trim().slice(0, 100)
      if (owner) return owner
    }
  }
  return undefined
}
