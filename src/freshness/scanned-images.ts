import type { FreshnessItem } from '../contract/freshness.ts'
import type { ImageAdvisories } from '../reports/scan.ts'
import { parseImageRef, repositoryFor } from './image-ref.ts'

interface ScanOrigin {
  run_id: string
  /** Timestamp in wire format. */
  seen_at: string
}

/** Advisories that a scanner lists for images of a cluster, to show which of the catalog's advisories it also found. */
export class ScannedImages {
  readonly #origin: ScanOrigin
  readonly #byImage = new Map<string, Set<string>>()

  constructor(origin: ScanOrigin, advisories: ImageAdvisories) {
    this.#origin = origin
    for (const [reference, ids] of Object.entries(advisories)) {
      for (const key of toKeys(reference)) {
        this.#byImage.set(key, (this.#byImage.get(key) ?? new Set()).union(new Set(ids)))
      }
    }
  }

  /** Adds to items of scanned images which of their advisories the scanner lists, by any of their ids. */
  mark(items: FreshnessItem[]) {
    return items.map((item) => {
      const ids = item.artifact_type === 'image' ? this.#toIds(item.artifact_key) : undefined
      return ids ? this.#markItem(item, ids) : item
    })
  }

  #toIds(reference: string) {
    const key = toKeys(reference).find((one) => this.#byImage.has(one))
    return key === undefined ? undefined : this.#byImage.get(key)
  }

  #markItem(item: FreshnessItem, ids: Set<string>): FreshnessItem {
    const toNames = ({ id, aliases }: { id: string; aliases: string[] }) => [id, ...aliases]
    const isSeen = (advisory: { id: string; aliases: string[] }) => toNames(advisory).some((id) => ids.has(id))
    const advisories = item.advisories.map((advisory) => ({
      ...advisory,
      seen_by: isSeen(advisory) ? ['catalog' as const, 'trivy' as const] : ['catalog' as const],
    }))
    const shared = new Set(item.advisories.flatMap(toNames)).intersection(ids)
    const undecided = item.undecided_advisories?.map((advisory) => ({
      ...advisory,
      ...(isSeen(advisory) && { seen_by: ['trivy' as const] }),
    }))
    return {
      ...item,
      advisories,
      ...(undecided && { undecided_advisories: undecided }),
      scanned: { scanner: 'trivy', ...this.#origin, advisories: ids.size, shared: shared.size },
    }
  }
}

/** A scanner may name an image only by its tag, or only by its digest, which is more exact. */
function toKeys(reference: string) {
  const ref = parseImageRef(reference)
  if (!ref) return []
  const { tag, digest } = ref
  const repository = repositoryFor(ref)
  if (digest === null) return [`${repository}:${tag ?? 'latest'}`]
  return [`${repository}@${digest}`, ...(tag === null ? [] : [`${repository}:${tag}`])]
}
