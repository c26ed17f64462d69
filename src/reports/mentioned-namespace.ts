import type { Item } from './item.ts'

/**
 * Whether a row without a namespace is about one of these. A binding names the namespace of its ServiceAccount in the
 * subject, an event that of its pod in the message (`pod web-0_shop`). A ServiceAccount without a namespace may be in any.
 */
export function mentionsNamespace(
  item: Pick<Item, 'resource' | 'message' | 'value'>,
  namespaces: Set<string>,
): boolean {
  if (namespaces.size === 0) return false
  const text = `${item.resource ?? ''}\n${item.message}\n${item.value ?? ''}`
  if (bareServiceAccount.test(text)) return true
  for (const pattern of places) {
    for (const match of text.matchAll(pattern)) if (namespaces.has(match[1]!)) return true
  }
  return false
}

const bareServiceAccount = /\bServiceAccount\/[a-z0-9.-]+(?![a-z0-9./-])/
const name = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const places = [
  new RegExp(`\\b[Pp]ods?[\\s:/"'=]{1,3}[a-z0-9][a-z0-9.-]{0,252}_(${name})`, 'g'),
  new RegExp(`\\bsystem:serviceaccounts?:(${name})\\b`, 'g'),
  new RegExp(`\\b(?:ServiceAccount|serviceaccount|pod|Pod|service|Service|secret|Secret|Role|role)s?/(${name})/`, 'g'),
  new RegExp(`\\b[Nn]amespaces?[\\s:/"'=]{1,3}(${name})`, 'g'),
  new RegExp(`(?:^|[\\s"'(,])(${name})/${name}(?![\\w/.:])`, 'g'),
]
