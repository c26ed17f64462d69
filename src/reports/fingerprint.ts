import { hash } from 'node:crypto'
import { ClusterNames } from './cluster-names.ts'
import type { Item } from './item.ts'
import { stableText, stableValue } from './stable-text.ts'

/** Bytes in a fingerprint; written as 32 hex digits. */
export const fingerprintLength = 16

/**
 * The identity of a finding across scans: check, namespace, resource and message. The resource is the template that a user
 * edits: replicas of a workload, runs of a job and nodes of a pool share one fingerprint. Parts that change by a rollout or
 * over time are left out: generated names, image tags and digests, times, durations, counts, amounts, addresses. So is the
 * severity. Returned as 16 characters of one byte each.
 */
export class Fingerprinter {
  readonly #template: Remembered
  readonly #text: Remembered
  readonly #value: Remembered
  readonly #digest = rememberRecent((key) => hash('sha256', key, 'binary').slice(0, fingerprintLength))

  constructor(names = new ClusterNames()) {
    this.#template = rememberRecent((resource, namespace) => names.resource(namespace, resource))
    this.#text = rememberRecent((text) => stableText(names.text(text)))
    this.#value = rememberRecent((text) => stableValue(names.text(text)))
  }

  /** `named`: the template of the item, if already known. */
  of(checkId: string, item: Item, named = this.toTemplate(item)): string {
    const template = named ?? ''
    const place = `${checkId}\n${item.namespace ?? ''}\n${template}`
    if (item.identity !== undefined) return this.#digest(`${place}\n${item.identity}`)
    const message = this.#text(withoutOwnHashes(item.message, item.resource, template))
    const value = item.value === null ? '' : this.#value(withoutOwnHashes(item.value, item.resource, template))
    return this.#digest(`${place}\n${message}\n${value}`)
  }

  /** Pod `web-65cc8855c-ghk9m` → `pod/web`. */
  toTemplate({ namespace, resource }: Pick<Item, 'namespace' | 'resource'>): string | null {
    return resource === null ? null : this.#template(resource, namespace)
  }
}

/** A text that contains the full name of its resource, or its controller's name, shows which letters are generated. */
export function withoutOwnHashes(text: string, resource: string | null, stable: string): string {
  if (resource === null || resource.length === stable.length || text.length < stable.length - resource.indexOf('/'))
    return text
  const name = resource.slice(resource.indexOf('/') + 1)
  const template = stable.slice(stable.indexOf('/') + 1)
  // Names of all its owners start with the template's name.
  if (!text.includes(name.slice(0, template.length + 1))) return text
  let result = text
  for (let end = name.length; end > template.length; end = name.lastIndexOf('-', end - 1)) {
    const owner = name.slice(0, end)
    if (result.includes(owner)) result = result.replaceAll(owner, template)
  }
  return result
}

const maxRecent = 4

type Remembered = (text: string, within?: string | null) => string

/** Comparing with a few recent texts is faster than hashing the text to look it up. */
function rememberRecent(work: (text: string, within: string | null) => string): Remembered {
  const recent: { text: string; within: string | null; result: string }[] = []
  let oldest = 0
  return (text, within = null) => {
    for (const known of recent) if (known.text === text && known.within === within) return known.result
    const result = work(text, within)
    recent[oldest] = { text, within, result }
    oldest = (oldest + 1) % maxRecent
    return result
  }
}
