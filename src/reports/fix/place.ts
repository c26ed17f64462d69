import type { Finding } from '../../contract/scan-finding.ts'
import type { OwnerLink } from '../artifact.ts'

/** The object that a finding names, with the names that may stand in a command. Undefined: the report does not say. */
export interface FixPlace {
  namespace: string | undefined
  kind: string | undefined
  name: string | undefined
  /** Whose pod template a person edits. */
  workload: FixWorkload | undefined
}

interface FixWorkload {
  kind: string
  name: string
  /** `name`: only the form of the pod's name says so. */
  basis: 'report' | 'inventory' | 'name'
}

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?'
const dnsLabel = new RegExp(`^(?=.{1,63}$)${label}$`)
const dnsName = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})*$`)
/** Names of roles and bindings may have any letter but these. A leading hyphen would be an option. */
const pathSegment = /^(?!-)[^/%\p{C}\p{Z}]{1,253}$/u

export const asLabel = (text: string | null | undefined): string | undefined =>
  text && dnsLabel.test(text) ? text : undefined
export const asName = (text: string | null | undefined): string | undefined =>
  text && dnsName.test(text) ? text : undefined

/** Kinds as kubectl names them, by how reports write them. */
const toKinds: Record<string, string> = { pods: 'pod', workload: '', hpa: 'hpa', pdb: 'poddisruptionbudget' }

type Found = Pick<Finding, 'namespace' | 'resource' | 'message' | 'value'>

export function placeFor(finding: Found, owners: OwnerLink[] = []): FixPlace {
  const namespace = asLabel(finding.namespace)
  const [kind, name] = splitResource(namedElsewhere(finding) ?? finding.resource)
  return { namespace, kind, name, workload: toWorkload(namespace, kind, name, owners) }
}

/** Rows with columns of their own name the workload, or its kind, in another one. */
function namedElsewhere({ resource, message, value }: Found): string | undefined {
  const texts = `${message}, ${value ?? ''}`
  const workload = /(?:^|, )Workload: ([A-Za-z]+\/[^,\s]+)/.exec(texts)?.[1]
  const kind = /(?:^|, )Kind: ([A-Za-z]+)/.exec(texts)?.[1]
  return workload ?? (kind && resource?.startsWith('workload/') ? `${kind}/${resource.slice(9)}` : undefined)
}

/** `Deployment/web`, or `namespace/shop` of the namespace itself. */
export function splitResource(
  resource: string | null | undefined,
): [kind: string | undefined, name: string | undefined] {
  const [, written = '', rest = ''] = /^([A-Za-z]{1,63})\/(.+)$/s.exec(resource ?? '') ?? []
  const lower = written.toLowerCase()
  const kind = (toKinds[lower] ?? lower) || undefined
  const isRbac = /role(?:binding)?$/.test(lower)
  return [kind, isRbac ? (pathSegment.test(rest) ? rest : undefined) : asName(rest)]
}

const templated = new Set(['deployment', 'statefulset', 'daemonset', 'cronjob'])
export const hasTemplate = ({ kind }: Pick<FixWorkload, 'kind'>): boolean => templated.has(kind)

/** Whose pod template it is: its own, or that of the owner of a pod. */
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

/** No chain of controllers is longer. */
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
/** The hash of a template, in the letters of Kubernetes; one without a digit may be a word. */
const ofDeployment = new RegExp(`^(.+)-(?=[a-z]*\\d)${drawn}{8,10}-${drawn}{5}$`)
/** The scheduled minute. */
const ofCronJob = new RegExp(`^(.+)-\\d{8}-${drawn}{5}$`)

/** Only where the form leaves no doubt: an ordinal or one generated part may belong to several kinds. */
function byName(pod: string): FixWorkload | undefined {
  const cronJob = ofCronJob.exec(pod)?.[1]
  if (cronJob !== undefined) return { kind: 'cronjob', name: cronJob, basis: 'name' }
  const deployment = ofDeployment.exec(pod)?.[1]
  return deployment === undefined ? undefined : { kind: 'deployment', name: deployment, basis: 'name' }
}
