import { withoutOwnHashes } from '../fingerprint.ts'
import { type Item, maxTextLength } from '../item.ts'
import { stableResource } from '../stable-name.ts'
import { stableText, stableValue } from '../stable-text.ts'

/** Truncates the texts of an item. `twin`: see `ScanCollector.finding`. */
export function shorten({ namespace, resource, message, value, identity, isUnfixed }: Item, twin: number) {
  const item: Item = {
    namespace: cut(namespace ?? '') || null,
    resource: cut(resource ?? '') || null,
    message: cut(message),
    value: cut(value ?? '') || null,
    ...(identity !== undefined && { identity: cut(identity) }),
    ...(isUnfixed && { isUnfixed }),
  }
  return twin === 0 ? item : { ...item, identity: `${toIdentity(item)}\n#${twin}` }
}

/** Identity of an item across scans, apart from its check and place. */
export function toIdentity({ resource, message, value, identity }: Item) {
  if (identity !== undefined) return identity
  const stable = resource === null ? '' : stableResource(resource)
  const [said, valued] = [message, value ?? ''].map((text) => withoutOwnHashes(text, resource, stable))
  return `${stableText(said!)}\n${stableValue(valued!)}`
}

/** Truncates a text and joins its lines. */
export function cut(text: string) {
  return text.slice(0, maxTextLength).replace(/\s+/g, ' ').trim()
}
