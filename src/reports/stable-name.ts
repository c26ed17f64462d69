// Kubernetes draws generated suffixes from an alphabet without vowels and look-alikes. Other tools use hex or base 36:
// those count as generated when letters and digits alternate as no word does.
const safe = '[bcdfghjklmnpqrstvwxz2456789]'
const mixed = '(?=[a-z]*\\d)(?=\\d*[a-z])[a-z0-9]'
export const templateHash = `(?:${safe}{6,10}|${mixed}{7,10}|\\d{8,10})`
const podSuffix = `(?:${safe}{5}|(?=[a-z0-9]{5}\\b)(?:[a-z]+\\d+[a-z]+\\d*|\\d+[a-z]+\\d+[a-z]*)[a-z0-9]*)`

const deploymentPod = new RegExp(`-${templateHash}-[a-z0-9]{5}$`)
const ownedPod = new RegExp(`-${podSuffix}$`)
const replicaSet = new RegExp(`-${templateHash}$`)

/** `pods` → `pod`, for the kinds whose names carry generated parts. */
const singular = new Map([
  ['pods', 'pod'],
  ['nodes', 'node'],
  ['jobs', 'job'],
  ['replicasets', 'replicaset'],
])

/**
 * `Pod/web-65cc8855c-ghk9m` → `pod/web`, `node/gke-prod-user-ca8d1da3-lh7t` → `node/gke-prod-user`. Ordinals of
 * StatefulSets stay, and so do names of machines that no pool replaces.
 */
export function stableResource(resource: string): string {
  const slash = resource.indexOf('/')
  if (slash < 0) return stableMachines(resource)
  const written = resource.slice(0, slash).toLowerCase()
  const kind = singular.get(written) ?? written
  return `${kind}/${stableName(kind, resource.slice(slash + 1))}`
}

/** `kind` is singular and in lower case. */
export function stableName(kind: string, name: string): string {
  if (kind === 'pod') {
    const end = name.search(deploymentPod)
    return stableMachines(end < 0 ? name.replace(ownedPod, '') : name.slice(0, end))
  }
  if (kind === 'replicaset' || kind === 'job') return name.replace(replicaSet, '')
  return stableMachines(name)
}

// Machines of an autoscaled pool are replaced by an upgrade: the pool is what stays. No name of a machine is longer than
// these bounds, without which a text full of beginnings takes the square of its length.
const aksMachine = /\b(aks-[a-z0-9]{1,20})-\d{8}-vmss[0-9a-z]{6}\b/g
const gkeMachine = /\b(gk[e3](?:-[a-z0-9]{1,63}){1,30}?)-[0-9a-f]{8}-[a-z0-9]{4}\b/g
const eksMachine = /\b(ip?)-(?:\d{1,3}(?:-\d{1,3}){3}|[0-9a-f]{17})(?=\.[a-z0-9.-]{0,253}internal\b)/g

/** A text in which each machine of AKS, GKE and EKS is named as its pool. */
export function stableMachines(text: string): string {
  if (text.includes('-vmss')) return text.replace(aksMachine, '$1')
  if (text.includes('internal')) return text.replace(eksMachine, '$1')
  return text.includes('gke-') || text.includes('gk3-') ? text.replace(gkeMachine, '$1') : text
}
