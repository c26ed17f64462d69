import { hash } from 'node:crypto'
import type { Item } from './item.ts'
import { stableResource } from './stable-name.ts'
import { stableText, stableValue } from './stable-text.ts'

/** Bytes of a fingerprint; written as 32 hex digits. */
export const fingerprintLength = 16

/**
 * The rules by which findings are identified. A run that was indexed by older rules is indexed again before it is
 * compared: raise this with every change of a fingerprint or of the layout of records.
 */
export const identityVersion = 2

/**
 * The identity of a finding across scans: check, namespace, resource and message. Parts that a rollout or time changes are
 * left out: hashes of pods and ReplicaSets, machines of a pool, image tags and
 * digests, times, durations, counts, amounts, addresses. Severity is no part of it. Returned as 16 characters of one byte
 * each.
 *
 * Findings about the replicas of a workload share one fingerprint.
 */
export class Fingerprinter {
  readonly #resource = rememberRecent(stableResource)
  readonly #text = rememberRecent(stableText)
  readonly #value = rememberRecent(stableValue)
  readonly #digest = rememberRecent((key) => hash('sha256', key, 'binary').slice(0, fingerprintLength))

  of(checkId: string, item: Item): string {
    const resource = item.resource === null ? '' : this.#resource(item.resource)
    const place = `${checkId}\n${item.namespace ?? ''}\n${resource}`
    if (item.identity !== undefined) return this.#digest(`${place}\n${item.identity}`)
    const message = this.#text(withoutOwnHashes(item.message, item.resource, resource))
    const value = item.value === null ? '' : this.#value(withoutOwnHashes(item.value, item.resource, resource))
    return this.#digest(`${place}\n${message}\n${value}`)
  }
}

/** A text that contains its resource's full name shows which letters of it are generated. */
export function withoutOwnHashes(text: string, resource: string | null, stable: string): string {
  if (resource === null || resource.length === stable.length) return text
  const name = resource.slice(resource.indexOf('/') + 1)
  return text.includes(name) ? text.replaceAll(name, stable.slice(stable.indexOf('/') + 1)) : text
}

const maxRecent = 4

/** Comparing with a few texts is quicker than hashing one to look it up. */
function rememberRecent(work: (text: string) => string): (text: string) => string {
  const recent: { text: string; result: string }[] = []
  let oldest = 0
  return (text) => {
    for (const known of recent) if (known.text === text) return known.result
    const result = work(text)
    recent[oldest] = { text, result }
    oldest = (oldest + 1) % maxRecent
    return result
  }
}
