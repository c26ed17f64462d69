import type { Metadata } from './helm-labels.ts'
import { word } from './helm-labels.ts'

/** An object, or a namespace with all in it, and who is responsible for it by its labels. */
export interface InventoryOwnerLabel {
  namespace: string
  /** Null: the namespace. */
  workloadKind: string | null
  workloadName: string | null
  owner: string
}

/** Names by which people say who is responsible, with any prefix, such as `example.com/team`. The first one counts. */
const names = ['owner', 'team']

/** What labels, else annotations, say of who is responsible. */
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
