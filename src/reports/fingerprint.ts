import { hash } from 'node:crypto'
import type { Item } from './item.ts'

/** Bytes of a fingerprint; written as 32 hex digits. */
export const fingerprintLength = 16

/**
 * What makes a finding the same finding in another scan: check, namespace, resource, and what is said of it. What a
 * rollout or the passing of time changes is left out: hashes of pods and ReplicaSets, image tags and digests, times,
 * durations, counts, amounts, addresses. Severity is no part of it. Returned as 16 characters of one byte each.
 *
 * One for many findings: what is said of a pod, and of the replicas of a workload, stands together.
 */
export class Fingerprinter {
  readonly #resource = rememberRecent(stableResource)
  readonly #text = rememberRecent(stableText)
  readonly #value = rememberRecent(stableValue)
  readonly #digest = rememberRecent((key) => hash('sha256', key, 'binary').slice(0, fingerprintLength))

  of(checkId: string, item: Item): string {
    const resource = item.resource === null ? '' : this.#resource(item.resource)
    if (item.identity !== undefined)
      return this.#digest(`${checkId}\n${item.namespace ?? ''}\n${resource}\n${item.identity}`)
    const message = withoutOwnHashes(this.#text(item.message), item.resource, resource)
    const value = item.value === null ? '' : this.#value(item.value)
    return this.#digest(`${checkId}\n${item.namespace ?? ''}\n${resource}\n${message}\n${value}`)
  }
}

/** A message that names its own resource does so in full: there the name tells which letters are generated. */
function withoutOwnHashes(message: string, resource: string | null, stable: string): string {
  if (resource === null || resource.length === stable.length) return message
  const name = resource.slice(resource.indexOf('/') + 1)
  return message.includes(name) ? message.replaceAll(name, stable.slice(stable.indexOf('/') + 1)) : message
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

// Kubernetes draws generated suffixes from an alphabet without vowels and look-alikes. Other tools use hex or base 36:
// those count as generated when letters and digits alternate as no word does.
const safe = '[bcdfghjklmnpqrstvwxz2456789]'
const mixed = '(?=[a-z]*\\d)(?=\\d*[a-z])[a-z0-9]'
const templateHash = `(?:${safe}{6,10}|${mixed}{7,10}|\\d{8,10})`
const podSuffix = `(?:${safe}{5}|(?=[a-z0-9]{5}\\b)(?:[a-z]+\\d+[a-z]+\\d*|\\d+[a-z]+\\d+[a-z]*)[a-z0-9]*)`

const deploymentPod = new RegExp(`-${templateHash}-[a-z0-9]{5}$`)
const ownedPod = new RegExp(`-${podSuffix}$`)
const replicaSet = new RegExp(`-${templateHash}$`)

/** `Pod/web-65cc8855c-ghk9m` → `pod/web`. Ordinals of StatefulSets and names of nodes stay. */
export function stableResource(resource: string): string {
  const slash = resource.indexOf('/')
  if (slash < 0) return resource
  const kind = resource.slice(0, slash).toLowerCase()
  return `${kind}/${stableName(kind, resource.slice(slash + 1))}`
}

function stableName(kind: string, name: string): string {
  if (kind === 'pod' || kind === 'pods') {
    const end = name.search(deploymentPod)
    return end < 0 ? name.replace(ownedPod, '') : name.slice(0, end)
  }
  if (kind === 'replicaset' || kind === 'job') return name.replace(replicaSet, '')
  return name
}

const volatileParts = [
  /(?<![\w-])\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/, // a time
  /(?<![\w-])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/, // an address
  /\[[0-9a-f.]*:[0-9a-f:.]*\](?::\d+)?/, // an address of IPv6
  /(?<=[a-z0-9]):(?:v\d|\d+\.\d)[\w.-]*/, // a tag
  /\bsha256:[0-9a-f]{12,64}\b/,
  /(?<![\w.-])(?:\d+(?:\.\d+)?(?:ms|us|ns|[smhdwy]))+(?![\w-])/, // a duration
  /(?<![\w.,-])\d+(?:[.,]\d+)*(?:\s?(?:%|m|mC|[KMGT]i?B?|B))?(?![\w-])/, // a count or an amount
]
const volatile = new RegExp(volatileParts.map((part) => part.source).join('|'), 'g')
const uuid = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g
/** Quick to see, and every uuid has it. */
const uuidMiddle = /-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-/

const podHashes = new RegExp(`(?<=[a-z0-9])-${templateHash}-[a-z0-9]{5}(?![A-Za-z0-9-])`, 'g')

/** A sentence without its times, amounts, addresses and generated names. */
export function stableText(message: string): string {
  const named = message.includes('-') ? message.replace(podHashes, '') : message
  return (uuidMiddle.test(named) ? named.replace(uuid, '#') : named).replace(volatile, '#')
}

/** `User/1234`, `Group/system:masters`, `ServiceAccount/ci/deployer`. */
const subject = /^[A-Z][A-Za-z]*\/\S+$/
const digestPart = '(?:@sha256:[0-9a-f]{64})?$'
const imageOfRegistry = new RegExp(
  `^([a-z0-9][a-z0-9._-]*(?::\\d+)?/[a-z0-9._/-]+)(?::(?=[\\w.-]*\\d|latest\\b)[\\w.-]{1,128})?${digestPart}`,
)
/** Without a registry only what looks like a version is a tag: `system:node` is none. */
const shortImage = new RegExp(`^([a-z0-9][a-z0-9._-]*)(?::(?:v?\\d[\\w.-]{0,127}|latest))?${digestPart}`)

/** As text, but who is meant stays, and an image is its repository. */
export function stableValue(value: string): string {
  if (subject.test(value)) return value
  const image = value.includes(':') ? (imageOfRegistry.exec(value) ?? shortImage.exec(value)) : null
  return image ? image[1]! : value.replace(volatile, '#')
}
