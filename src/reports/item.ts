import { isObject } from '../util/json.ts'
import type { Check } from './read.ts'

/** One row of a failed check, with the many names of its fields brought to one. */
export interface Item {
  namespace: string | null
  /** `kind/name`, as the report writes it. */
  resource: string | null
  message: string
  value: string | null
  /** What makes it the same finding in another scan, where message and value tell more than that (such as versions). */
  identity?: string
}

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
  'PVC',
  'PV',
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'Role',
  'Workload',
] as const
const messageKeys = ['Message', 'Issue', 'Issues'] as const
const valueKeys = ['Value', 'Container', 'Reason'] as const
/** Change from scan to scan without anything having changed. */
const volatileKeys = new Set(['Count', 'Timestamp', 'Time', 'FirstSeen', 'LastSeen', 'Age'])
/** Of each text of an item, in UTF-16 units: what is longer is cut. */
export const maxTextLength = 2000

export function readItem(item: unknown, check: Check): Item {
  if (!isObject(item))
    return { namespace: null, resource: null, message: text(item) ?? checkItem(check).message, value: null }
  const namespace = readNamespace(item.Namespace)
  const resource = readResource(item, check, namespace)?.slice(0, maxTextLength) ?? null
  return {
    namespace,
    resource,
    message: first(item, messageKeys) ?? (describe(item) || checkItem(check).message),
    value: first(item, valueKeys),
  }
}

/** A failed check without rows is one finding about the check itself. */
export function checkItem(check: Check): Item {
  return { namespace: null, resource: null, message: check.name.slice(0, maxTextLength), value: null }
}

function readResource(item: Record<string, unknown>, check: Check, namespace: string | null): string | null {
  const named = text(item.Resource) ?? text(item.Object)
  if (named) return named.includes('/') || !isPodKind(check.resourceKind) ? named : `pod/${named}`
  for (const key of kindKeys) {
    const name = text(item[key])
    if (name) return name.includes('/') ? name : `${key.toLowerCase()}/${name}`
  }
  return namespace && check.resourceKind.toLowerCase() === 'namespace' ? `namespace/${namespace}` : null
}

function isPodKind(kind: string): boolean {
  return kind.toLowerCase() === 'pod'
}

/** Cluster-wide rows write `🌍 Cluster-Wide`, `cluster-wide`, `(cluster)`, `-`, `N/A` or nothing. */
function readNamespace(value: unknown): string | null {
  const namespace = text(value)
  if (!namespace || namespace.startsWith('(')) return null
  const plain = namespace.replace(/^[^A-Za-z0-9]+/, '').toLowerCase()
  return plain === '' || plain === 'cluster-wide' || plain === 'n/a' ? null : namespace
}

function describe(item: Record<string, unknown>): string {
  const told = new Set<string>(['Namespace', 'Resource', 'Object', ...kindKeys, ...valueKeys])
  return Object.keys(item)
    .filter((key) => !told.has(key) && !volatileKeys.has(key))
    .map((key) => [key, text(item[key])] as const)
    .flatMap(([key, value]) => (value ? `${key}: ${value}` : []))
    .join(', ')
    .slice(0, maxTextLength)
}

function first(item: Record<string, unknown>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = text(item[key])
    if (value) return value
  }
  return null
}

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
