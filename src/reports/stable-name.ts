import { templateName } from './generated-name.ts'

/** `pods` → `pod`, for kinds whose object names contain generated parts. */
const singular = new Map([
  ['pods', 'pod'],
  ['nodes', 'node'],
  ['jobs', 'job'],
  ['replicasets', 'replicaset'],
])

/** The kind of `Pod/web-0`, singular and in lower case. Empty without a kind. */
export function kindOfResource(resource: string): string {
  const written = resource.slice(0, Math.max(resource.indexOf('/'), 0)).toLowerCase()
  return singular.get(written) ?? written
}

/** The name of `Pod/web-0`. */
export const nameOfResource = (resource: string): string => resource.slice(resource.indexOf('/') + 1)

/** `resource` is a kind and a name. */
export const resourceKey = (namespace: string | null, resource: string): string => `${namespace ?? ''}\n${resource}`

/**
 * `Pod/web-65cc8855c-ghk9m` → `pod/web`, `pod/db-0` → `pod/db`, `node/gke-prod-user-ca8d1da3-lh7t` → `node/gke-prod-user`:
 * the template that users edit.
 */
export function stableResource(resource: string): string {
  const kind = kindOfResource(resource)
  if (kind === '') return stableMachines(resource)
  return `${kind}/${stableName(kind, nameOfResource(resource))}`
}

/** `kind` is singular and in lower case. */
export function stableName(kind: string, name: string): string {
  const stable = templateName(kind, name)
  return kind === 'replicaset' || kind === 'job' ? stable : stableMachines(stable)
}

// An upgrade replaces the nodes of an autoscaled pool; the pool stays. Node names are within these bounds, which avoid
// quadratic time on long texts.
const aksMachine = /\b(aks-[a-z0-9]{1,20})-\d{8}-vmss[0-9a-z]{6}\b/g
const gkeMachine = /\b(gk[e3](?:-[a-z0-9]{1,63}){1,30}?)-[0-9a-f]{8}-[a-z0-9]{4}\b/g
const eksMachine = /\b(ip?)-(?:\d{1,3}(?:-\d{1,3}){3}|[0-9a-f]{17})(?=\.[a-z0-9.-]{0,253}internal\b)/g

/** Replaces each AKS, GKE and EKS node name in a text by that of its pool. */
export function stableMachines(text: string): string {
  if (text.includes('-vmss')) return text.replace(aksMachine, '$1')
  if (text.includes('internal')) return text.replace(eksMachine, '$1')
  return text.includes('gke-') || text.includes('gk3-') ? text.replace(gkeMachine, '$1') : text
}
