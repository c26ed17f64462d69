import { isObject } from '../util/json.ts'
import type { ReportCheck } from './check.ts'

/** One row of a failed check, with its fields under uniform names. */
export interface Item {
  namespace: string | null
  /** `kind/name`, as written in the report. */
  resource: string | null
  message: string
  value: string | null
  /** Identity across scans, if message and value contain changing parts such as versions. */
  identity?: string
  /** No version of the package mends it. */
  isUnfixed?: boolean
}

/** Keys that name an object by its kind; the first one in a row is the resource. */
const kindKeys = [
  'Pod',
  'Node',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'Job',
  'CronJob',
  'Service',
  'Ingress',
  'Gateway',
  'HTTPRoute',
  'GRPCRoute',
  'NetworkPolicy',
  'HPA',
  'VPA',
  'PDB',
  'PVC',
  'PV',
  'StorageClass',
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'RoleBinding',
  'ClusterRoleBinding',
  'ClusterRole',
  'Role',
  'Workload',
] as const
const placeKeySet = new Set<string>(['Namespace', 'Resource', 'Object', 'MetricLabels', 'Name', ...kindKeys])

/** Whether this key of a row names the place of its finding. */
export const isPlaceKey = (key: string): boolean => placeKeySet.has(key)

const messageKeys = ['Message', 'Issue', 'Issues'] as const
/** Fields without a name prefix: the value of a row, or a substitute for it. */
const valueKeys = ['Value', 'Container', 'Reason'] as const
/** Fields that change from scan to scan without a real change. */
const volatileKeys = new Set(['Count', 'Timestamp', 'Time', 'FirstSeen', 'LastSeen', 'Age', 'Average', 'Samples'])
/** Maximum length of each text of an item, in UTF-16 units; longer texts are cut. */
export const maxTextLength = 2000

/** Reads a row. Every field counts: those other than place, message and value are added to the value with their names. */
export function readItem(item: unknown, check: Pick<ReportCheck, 'name' | 'resourceKind'>): Item {
  if (!isObject(item))
    return { namespace: null, resource: null, message: text(item) ?? checkItem(check).message, value: null }
  const labels = metricLabels(item.MetricLabels)
  const namespace = readNamespace(item.Namespace ?? labels?.namespace)
  const place = findPlace(item, check, namespace, labels)
  const messageKey = firstKey(item, messageKeys)
  const valueKey = messageKey && firstKey(item, valueKeys)
  const rest = describe(item, place.key, messageKey, valueKey)
  return {
    namespace,
    resource: place.resource?.slice(0, maxTextLength) ?? null,
    message: (messageKey ? text(item[messageKey]) : rest) || checkItem(check).message,
    value: messageKey ? joined(valueKey && text(item[valueKey]), rest) : null,
  }
}

/** A failed check without rows becomes one finding about the check itself. */
export function checkItem(check: Pick<ReportCheck, 'name' | 'resourceKind'>): Item {
  return { namespace: null, resource: null, message: check.name.slice(0, maxTextLength), value: null }
}

interface Place {
  resource: string | null
  /** The key that names the resource. */
  key: string | undefined
}

function findPlace(
  item: Record<string, unknown>,
  check: Pick<ReportCheck, 'name' | 'resourceKind'>,
  namespace: string | null,
  labels: MetricLabels | undefined,
): Place {
  const kind = check.resourceKind.toLowerCase()
  for (const key of ['Resource', 'Object']) {
    const name = text(item[key])
    if (name) return { resource: name.includes('/') || kind !== 'pod' ? name : `pod/${name}`, key }
  }
  for (const key of kindKeys) {
    const name = text(item[key])
    if (name) return { resource: name.includes('/') ? name : `${key.toLowerCase()}/${name}`, key }
  }
  if (labels) return { resource: labels.resource, key: undefined }
  const name = text(item.Name)
  if (name) return { resource: /^[a-z]+$/.test(kind) ? `${kind}/${name}` : name, key: 'Name' }
  return { resource: namespace && kind === 'namespace' ? `namespace/${namespace}` : null, key: undefined }
}

interface MetricLabels {
  namespace: string | undefined
  resource: string
}

/** Labels of a Prometheus series: `pod: web-0`, or `namespace: shop, pod: web-0`. */
function metricLabels(value: unknown): MetricLabels | undefined {
  const written = text(value)
  if (!written) return undefined
  const pairs = written.split(',').map((pair) => pair.split(/[:=]/, 2).map((part) => part.trim()) as [string, string?])
  const find = (wanted: string) => pairs.find(([name]) => name.toLowerCase() === wanted)?.[1]
  for (const kind of ['pod', 'node', 'instance']) {
    const name = find(kind)
    if (name) return { namespace: find('namespace'), resource: `${kind}/${name}` }
  }
  return { namespace: find('namespace'), resource: written }
}

/** Cluster-wide rows contain `🌍 Cluster-Wide`, `cluster-wide`, `(cluster)`, `-`, `N/A` or nothing. */
function readNamespace(value: unknown): string | null {
  const namespace = text(value)
  if (!namespace || namespace.startsWith('(')) return null
  const plain = namespace.replace(/^[^A-Za-z0-9]+/, '').toLowerCase()
  return plain === '' || plain === 'cluster-wide' || plain === 'n/a' ? null : namespace
}

/** All remaining fields with their names. */
function describe(
  item: Record<string, unknown>,
  placeKey: string | undefined,
  messageKey: string | undefined,
  valueKey: string | undefined,
): string {
  let described = ''
  for (const key in item) {
    if (key === placeKey || key === messageKey || key === valueKey || key === 'Namespace') continue
    if (key === 'MetricLabels' || volatileKeys.has(key)) continue
    // The node of a pod is unrelated to what is wrong with the pod.
    if (key === 'Node' && placeKey === 'Pod') continue
    const value = text(item[key])
    if (value && !isNoIssue(key, value)) described += `${described && ', '}${key}: ${value}`
  }
  return described.slice(0, maxTextLength)
}

function joined(value: string | null | undefined, rest: string): string | null {
  return (value && rest ? `${value}, ${rest}`.slice(0, maxTextLength) : value || rest) || null
}

function firstKey(item: Record<string, unknown>, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const found = text(item[key])
    if (found && !isNoIssue(key, found)) return key
  }
  return undefined
}

const isNoIssue = (key: string, value: string): boolean => key === 'Issues' && value === 'None'

function text(value: unknown): string | null {
  if (typeof value === 'string') return value.trim().slice(0, maxTextLength) || null
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value))
    return (
      value
        .flatMap((entry) => text(entry) ?? [])
        .join(', ')
        .slice(0, maxTextLength) || null
    )
  return null
}
