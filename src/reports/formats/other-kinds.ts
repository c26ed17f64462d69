import { string } from '../read.ts'
import type { ScanCollector } from './collector.ts'

const maxKinds = 10

/** Counts the objects of a list that its reader leaves out. */
export class OtherKinds {
  readonly #counts = new Map<string, number>()

  add(item: Record<string, unknown>): void {
    const kind = string(item.kind)?.slice(0, 60) ?? 'object'
    const count = this.#counts.get(kind) ?? 0
    if (this.#counts.size < maxKinds || count > 0) this.#counts.set(kind, count + 1)
  }

  warn(collector: ScanCollector): void {
    if (this.#counts.size === 0) return
    const kinds = [...this.#counts].map(([kind, count]) => `${count} ${kind}`)
    collector.warn(`Left out of the list: ${kinds.sort().join(', ')}. relt reads reports of findings only.`)
  }
}
