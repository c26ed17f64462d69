import type { Finding } from '../../contract/scan-finding.ts'
import type { OwnerLink } from '../artifact.ts'

/** The object that a finding names, with names that are safe in a command. Undefined if the report lacks one. */
export interface FixPlace {
  namespace: string | undefined
  kind: string | undefined
  name: string | undefined
  /** The workload whose pod template a user edits. */
  workload: FixWorkload | undefined
}

interface FixWorkload {
  kind: string
  name: string
  /** Where the workload is from; `name`: derived from the pod's name only. */
  basis: 'report' | 'inventory' | 'name'
}

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?'
const dnsLabel = new RegExp(`^(?=.{1,63}$)${label}$`)
const dnsName = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})*$`)
/** Names of roles and bindings may contain anything but these characters. A leading hyphen would be read as an option. */
const pathSegment = /^(?!-)[^/%\p{C}\p{Z}]{1,253}$/u

export const asLabel = (text: string | null | undefined): string | undefined =>
  text && dnsLabel.test(text) ? text : undefined
export const asName = (text: string | null | undefined): string | undefined =>
  text && dnsName.test(text) ? text : undefined

/** Kinds as reports write them → as kubectl names them. */
const toKinds = new Map(Object.entries({ pods: 'pod', workload: '', hpa: 'hpa', pdb: 'poddisruptionbudget' }))

type Found = Pick<Finding, 'namespace' | 'resource' | 'message' | 'value'>

export function placeFor(finding: Found, owners: OwnerLink[] = []): FixPlace {
  const namespace = asLabel(finding.namespace)
  const [kind, name] = splitResource(namedElsewhere(finding) ?? finding.resource)
  return { namespace, kind, name, workload: toWorkload(namespace, kind, name, owners) }
}

/** Rows with columns of their own name the workload, or its kind, in another column. */
function namedElsewhere({ resource, message, value }: Found) {
  const texts = `${message}, ${value ?? ''}`
  const workload = /(?:^|, )Workload: ([A-Za-z]+\/[^,\s]+)/.exec(texts)?.[1]
  const kind = /(?:^|, )Kind: ([A-Za-z]+)/.exec(texts)?.[1]
  return workload ?? (kind && resource?.startsWith('workload/') ? `${kind}/${resource.slice(9)}` : undefined)
}

/** Splits `Deployment/web`. For a finding about a namespace itself: `namespace/shop`. */
export function splitResource(
  resource: string | null | undefined,
): [kind: string | undefined, name: string | undefined] {
  const [, written = '', rest = ''] = /^([A-Za-z]{1,63})\/(.+)$/s.exec(resource ?? '') ?? []
  const lower = written.toLowerCase()
  const kind = (toKinds.get(lower) ?? lower) || undefined
  const isRbac = /role(?:binding)?$/.test(lower)
  return [kind, isRbac ? (pathSegment.test(rest) ? rest : undefined) : asName(rest)]
}

const templated = new Set(['deployment', 'statefulset', 'daemonset', 'cronjob'])
export const hasTemplate = ({ kind }: FixWorkload) => templated.has(kind)

/** The workload with the pod template: the resource itself, or the owner of a pod. */
export function toWorkload(
  namespace: string | undefined,
  kind: string | undefined,
  name: string | undefined,
  owners: OwnerLink[],
): FixWorkload | undefined {
  if (kind === undefined || name === undefined) return undefined
  if (kind !== 'pod') return templated.has(kind) ? { kind, name, basis: 'report' } : undefined
  return ownerFor(namespace, name, owners) ?? byName(name)
}

/** Longest chain of controllers that is followed. */
const maxLinks = 10

function ownerFor(namespace: string | undefined, pod: string, owners: OwnerLink[]): FixWorkload | undefined {
  const links = new Map(
    owners.filter((each) => each.namespace === namespace).map((each) => [each.resource, each.owner]),
  )
  let top = `pod/${pod}`
  for (let i = 0; i < maxLinks && links.has(top); i++) top = links.get(top)!
  const [kind, name] = splitResource(top)
  return top === `pod/${pod}` || !kind || !name ? undefined : { kind, name, basis: 'inventory' }
}

const drawn = '[bcdfghjklmnpqrstvwxz2456789]'
/** The pod-template hash, in Kubernetes' alphabet; without a digit it may be a word. */
const ofDeployment = new RegExp(`^(.+)-(?=[a-z]*\\d)${drawn}{8,10}-${drawn}{5}$`)
/** `web-29000000-x2x5p`: the scheduled minute, then a generated part. */
const ofCronJob = new RegExp(`^(.+)-\\d{8}-${drawn}{5}$`)

/** Only if the name is unambiguous: an ordinal or a single generated part may belong to several kinds. */
function byName(pod: string): FixWorkload | undefined {
  const cronJob = ofCronJob.exec(pod)?.[1]
  if (cronJob !== undefined) return { kind: 'cronjob', name: cronJob, basis: 'name' }
  const deployment = ofDeployment.exec(pod)?.[1]
  return deployment === undefined ? undefined : { kind: 'deployment', name: deployment, basis: 'name' }
}
