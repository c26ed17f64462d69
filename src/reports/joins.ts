import type { RenamedFinding, RenamedWorkload } from '../contract/cluster-report.ts'
import type { Finding } from '../contract/scan-finding.ts'
import { remember } from '../util/remember.ts'
import { namespaceAt, offsetsIn } from './finding-records.ts'
import { templateName } from './generated-name.ts'
import { nameOfImage } from './ledger.ts'
import type { Leftover } from './pair-changed.ts'
import type { RunFindings } from './run-findings.ts'
import { formatTexts } from './select-findings.ts'
import { kindOfResource, nameOfResource, stableResource } from './stable-name.ts'
import { stableText, stableValue } from './stable-text.ts'
import { isOfState } from './state-check.ts'

/** A workload that has another name in a later run: its signature shows that it is the same one. */
export interface Join {
  namespace: string
  from: string
  to: string
  /** How many findings it has in both runs. */
  findings: number
  /** Nobody knows the images of both. */
  isProbable?: true
}

/** Equal findings that show that two workloads are one; more where the images are not known. */
const fewest = 3
const fewestWithoutImages = 4
/** Share of the findings of each that the other must have. */
const leastShare = 2 / 3
/** More workloads that came or went in a namespace are not compared with each other. */
const mostWorkloads = 2000

const workloadKinds = new Set(
  'pod deployment statefulset daemonset cronjob job replicaset deploymentconfig rollout workflow'.split(' '),
)

interface Workload {
  namespace: string
  name: string
  /** `run`: it runs to its end, so that its name need not mean anything. `object`: it has no pods, such as a role. */
  kind: 'workload' | 'run' | 'object'
  /** A pod that nothing owns, and whose name a person may have typed. */
  isTyped: boolean
  /** The parts of its name, with what separates them. */
  parts: string[]
  /** Its resources as the run names them. */
  resources: Set<string>
  /** Its findings without its name. */
  signatures: Set<string>
  /** The same, but with its name in texts: a container may be named like it. */
  ofPlace: Set<string>
}

/**
 * The workloads of `gone` that vanished, each with the one of `came` in its place: in the same namespace, with the same
 * images if both runs know them, the same findings, and a name with a word in common. What nothing owns is no workload, and
 * one that the other run has as well has not moved.
 */
export async function findJoins(from: RunFindings, to: RunFindings, gone: Finding[], came: Finding[]): Promise<Join[]> {
  const [before, after] = [new Names(from), new Names(to)]
  const [now, old] = [after.workloadsOf(came), before.workloadsOf(gone)]
  const arrived = Map.groupBy(now.filter(isComparable), ({ namespace }) => namespace)
  const vanished = Map.groupBy(old.filter(isComparable), ({ namespace }) => namespace)
  const pairs = [...vanished].flatMap(([namespace, old]) => {
    const there = arrived.get(namespace) ?? []
    if (Math.max(old.length, there.length) > mostWorkloads) return []
    return old.flatMap((one) => there.flatMap((now) => toPair(one, now) ?? toObjectPair(one, now) ?? []))
  })
  pairs.push(...toSamePods(old, now))
  if (pairs.length === 0) return []
  const namespaces = new Set(pairs.map(({ old }) => old.namespace))
  const [known, present] = await Promise.all([before.workloadsIn(namespaces), after.workloadsIn(namespaces)])
  const [images, imagesNow] = [before.images(), after.images()]
  const taken = new Set<Workload>()
  return pairs
    .sort((a, b) => b.common - a.common || b.likeness - a.likeness)
    .flatMap(({ old, now, common, isSame }): Join[] => {
      if (taken.has(old) || taken.has(now) || present.has(old.kind + toKey(old)) || known.has(now.kind + toKey(now)))
        return []
      const [was, is] = [images?.get(toKey(old)), imagesNow?.get(toKey(now))]
      const areSeen = was !== undefined && is !== undefined
      if (!isSame && areSeen && was.symmetricDifference(is).size > 0) return []
      const isProbable = !isSame && !areSeen
      if (isProbable && old.kind !== 'object' && common < fewestWithoutImages) return []
      taken.add(old).add(now)
      const join = { namespace: old.namespace, from: old.name, to: now.name, findings: common }
      return [{ ...join, ...(isProbable && { isProbable }) }]
    })
}

/** `app-migrate-41`, `app-migrate-42` → `app-migrate-*`. Undefined if no word is in both. */
export function commonPattern(one: string, other: string): string | undefined {
  const [a, b] = [partsOf(one), partsOf(other)]
  const [first, last] = endsInCommon(a, b)
  return likenessOf(a, b) > 0 ? `${a.slice(0, first).join('')}*${a.slice(a.length - last).join('')}` : undefined
}

const partsOf = (name: string): string[] => name.split(/(?<=[-.:])|(?=[-.:])/)

/** Two that may be one; `isSame`: they surely are. */
interface Pair {
  old: Workload
  now: Workload
  /** How many findings they have in common. */
  common: number
  likeness: number
  isSame?: true
}

const isComparable = ({ kind, signatures }: Workload): boolean => kind === 'object' || signatures.size >= fewest

/** A pod has the same name in both runs, but only one of them shows what owns it. */
function toSamePods(old: Workload[], now: Workload[]): Pair[] {
  const byPod = new Map(
    old.flatMap((each) => [...each.resources].map((resource) => [toKey({ ...each, name: resource }), each])),
  )
  return now.flatMap((each) => {
    const pods = [...each.resources].filter((resource) => kindOfResource(resource) === 'pod')
    const was = new Set(pods.flatMap((pod) => byPod.get(toKey({ ...each, name: pod })) ?? []))
    return [...was]
      .filter(({ name }) => name !== each.name)
      .map((old) => ({ old, now: each, common: each.signatures.size, likeness: 0, isSame: true }))
  })
}

function toPair(old: Workload, now: Workload): Pair | undefined {
  const likeness = likenessOf(old.parts, now.parts)
  // Runs may have random words as names; then all of their findings must be the same.
  if (old.kind === 'object' || now.kind === 'object' || (old.isTyped && now.isTyped)) return undefined
  if (likeness === 0 && !(old.kind === 'run' && now.kind === 'run')) return undefined
  const common = Math.max(old.signatures.intersection(now.signatures).size, old.ofPlace.intersection(now.ofPlace).size)
  const share = common / Math.max(old.signatures.size, now.signatures.size)
  return common >= fewest && share >= (likeness > 0 ? leastShare : 1) ? { old, now, common, likeness } : undefined
}

/** An object has few findings: its name must be the same but for numbers and a generated part. */
function toObjectPair(old: Workload, now: Workload): Pair | undefined {
  if (old.kind !== 'object' || now.kind !== 'object') return undefined
  const isAlike = formOf(old) === formOf(now) && old.parts.some(isGenerated) && now.parts.some(isGenerated)
  const isSame = isAlike && old.signatures.symmetricDifference(now.signatures).size === 0
  return isSame ? { old, now, common: old.signatures.size, likeness: likenessOf(old.parts, now.parts) } : undefined
}

const formOf = ({ parts }: Workload): string =>
  parts.map((part) => (/\d/.test(part) || isGenerated(part) ? '#' : part)).join('')

const isGenerated = (part: string): boolean => /^(?:(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{6,}|[^aeiou]{6,})$/.test(part)

/** How many letters two names have in common at their ends; 0 if no word is among them. */
function likenessOf(one: string[], other: string[]): number {
  const [first, last] = endsInCommon(one, other)
  const common = [...one.slice(0, first), ...one.slice(one.length - last)]
  return common.some((part) => /[a-z]{2}/.test(part)) ? common.join('').length : 0
}

/** How many parts two names have in common at the beginning and at the end. */
function endsInCommon(one: string[], other: string[]): [first: number, last: number] {
  const most = Math.min(one.length, other.length)
  let [first, last] = [0, 0]
  while (first < most && one[first] === other[first]) first++
  while (last < most - first && one.at(-1 - last) === other.at(-1 - last)) last++
  return [first, last]
}

export interface Renamed {
  workloads: RenamedWorkload[]
  findings: RenamedFinding[]
}

/**
 * Removes and returns the findings of `came` that `gone` has under the former name of a workload; also those of other objects
 * whose names contain it, such as its role.
 */
export function takeJoined(
  from: RunFindings,
  to: RunFindings,
  { gone, came, joins }: { gone: Leftover[]; came: Leftover[]; joins: Join[] },
): Renamed {
  const workloads = new Map<string, RenamedWorkload>()
  if (joins.length === 0) return { workloads: [], findings: [] }
  const labels = labelsOf(joins)
  const probable = new Set(joins.flatMap((each) => (each.isProbable ? toKey({ ...each, name: each.to }) : [])))
  const [before, after] = [new Names(from), new Names(to)]
  const signed = (names: Names, left: Leftover[]) =>
    left.flatMap((each) => {
      const { namespace } = each.finding
      // What is outside namespaces may be named after a workload of any, and named in any.
      const labelFor = (name: string) =>
        labels.get(toKey({ namespace: namespace ?? '', name })) ?? labels.get(toKey({ namespace: '', name }))
      // A finding of another severity is another one.
      const key = `${namespace}\n${each.finding.severity}`
      return each.rows === 0
        ? []
        : names.toSignatures(each.finding, labelFor).map((signature) => ({ each, signature: `${key}\n${signature}` }))
    })
  const bySignature = Map.groupBy(signed(before, gone), ({ signature }) => signature)
  const findings = signed(after, came).flatMap(({ each, signature }) => {
    const old = bySignature.get(signature)?.find((other) => other.each.rows > 0)?.each
    if (!old || each.rows === 0 || (isOfState(each.finding.check_id) && each.rows > old.rows)) return []
    const { fingerprint, resource } = old.finding
    old.rows = 0
    each.rows = 0
    const [was, is] = [before.nameOf(old.finding), after.nameOf(each.finding)]
    const namespace = each.finding.namespace ?? ''
    const isProbable = probable.has(toKey({ namespace, name: is }))
    remember(workloads, `${toKey({ namespace, name: was })}\n${is}`, () => ({
      namespace,
      from: was,
      to: is,
      findings: 0,
      ...(isProbable && { is_probable: true }),
    })).findings++
    return [{ ...each.finding, renamed_from: { fingerprint, resource } }]
  })
  return { workloads: [...workloads.values()], findings }
}

/** Names that joins connect have one label; under the key of the workload, and of its name alone. */
function labelsOf(joins: Join[]): Map<string, string> {
  const groups = new Map<string, Set<string>>()
  const connect = (namespace: string, names: [string, string]) => {
    const [old, now] = names.map((name) => {
      const key = toKey({ namespace, name })
      return groups.get(key) ?? new Set([key])
    })
    const group = old!.union(now!)
    for (const key of group) groups.set(key, group)
  }
  for (const { namespace, from, to } of joins) {
    connect(namespace, [from, to])
    const versions = versionsIn(from, to)
    if (versions) connect(namespace, versions)
  }
  const labels = new Map<string, string>()
  for (const [key, group] of groups) {
    const label = `@${[...group].sort()[0]!.replace('\n', '/')}`
    labels.set(key, label).set(key.slice(key.indexOf('\n')), label)
  }
  return labels
}

/** What differs in two names, with the numbers around it: `1-24-1` and `1-24-2` of `istiod-1-24-2`. */
function versionsIn(from: string, to: string): [string, string] | undefined {
  const [a, b] = [partsOf(from), partsOf(to)]
  let [first, last] = endsInCommon(a, b)
  const isOfVersion = (part: string | undefined) => part !== undefined && /^(?:[-.]|.*\d.*)$/.test(part)
  while (first > 0 && isOfVersion(a[first - 1])) first--
  while (last > 0 && isOfVersion(a.at(-last))) last--
  const [old, now] = [a, b].map((parts) =>
    parts
      .slice(first, parts.length - last)
      .join('')
      .replace(/^[-.]|[-.]$/g, ''),
  )
  return isVersion(old!) && isVersion(now!) ? [old!, now!] : undefined
}

/** `1-24-2` and `v42`, but not `42`: other workloads may be at that number. */
const isVersion = (text: string): boolean => /^v\d|\d[-.]\d/.test(text)

/** A name of an object within a text. */
const nameInText = /[a-z0-9][a-z0-9.-]*[a-z0-9]/g

/** Names in a run. */
class Names {
  readonly #run: RunFindings
  readonly #names: ReturnType<NonNullable<RunFindings['names']>> | undefined

  constructor(run: RunFindings) {
    this.#run = run
    this.#names = run.names?.()
  }

  #template(namespace: string | null, resource: string): string {
    return this.#names?.resource(namespace, resource) ?? stableResource(resource)
  }

  /** Whether a person may have named a pod that nothing owns; some tools start such pods under a long generated name. */
  #isTyped(namespace: string, resource: string): boolean {
    if (!this.#names?.isBare(namespace, resource)) return false
    const name = nameOfResource(resource)
    const stem = templateName('pod', name)
    return name === stem || !/(?!\d{8})[a-z0-9]{8}/.test(name.slice(stem.length))
  }

  nameOf({ namespace, resource }: Finding): string {
    return resource === null ? '' : nameOfResource(this.#template(namespace, resource))
  }

  /**
   * A finding's text in which `labelFor` replaces names: everywhere, and in its resource alone, as a container may be named like
   * its workload. Empty if it replaces none.
   */
  toSignatures(
    { check_id, namespace, resource, message, value }: Finding,
    labelFor: (name: string) => string | undefined,
  ): [] | [everywhere: string, ofPlace: string] {
    const replace = (text: string) => text.replace(nameInText, (found) => replaceName(found, labelFor))
    const known = (text: string) => this.#names?.text(text) ?? text
    const template = resource === null ? '' : this.#template(namespace, resource)
    const texts = [stableText(known(message)), stableText(stableValue(known(value ?? '')))]
    const place = [check_id, replace(template)]
    const everywhere = [...place, ...texts.map(replace)].join('\n')
    return everywhere === [check_id, template, ...texts].join('\n') ? [] : [everywhere, [...place, ...texts].join('\n')]
  }

  /** The workloads that these findings are about. */
  workloadsOf(findings: Finding[]): Workload[] {
    const workloads = new Map<string, { namespace: string; name: string; findings: Finding[] }>()
    for (const finding of findings) {
      if (finding.resource === null) continue
      const namespace = finding.namespace ?? ''
      const name = this.nameOf(finding)
      remember(workloads, toKey({ namespace, name }), () => ({ namespace, name, findings: [] })).findings.push(finding)
    }
    return [...workloads.values()].map(({ namespace, name, findings }): Workload => {
      const kinds = findings.map(({ resource }) => kindOfResource(resource!))
      const hasPods = kinds.some((kind) => workloadKinds.has(kind))
      const isRun = kinds.every((kind) => kind === 'pod' || kind === 'job')
      const isTyped = findings.every(({ resource }) => this.#isTyped(namespace, resource!))
      const labelFor = (found: string) => (found === name ? '@' : undefined)
      const both = findings.map((finding) => this.toSignatures(finding, labelFor))
      const signatures = new Set(both.flatMap(([everywhere]) => everywhere ?? []))
      const ofPlace = new Set(both.flatMap(([, found]) => found ?? []))
      return {
        namespace,
        name,
        kind: isRun ? 'run' : hasPods ? 'workload' : 'object',
        isTyped,
        parts: partsOf(name),
        resources: new Set(findings.map(({ resource }) => resource!)),
        signatures,
        ofPlace,
      }
    })
  }

  /** Keys of the workloads and objects with findings in these namespaces, after their kind. */
  async workloadsIn(wanted: Set<string>): Promise<Set<string>> {
    const { records, namespaces } = this.#run.index
    const namespaceOf = (at: number) => namespaces[namespaceAt(records, at) - 1] ?? ''
    const offsets = offsetsIn(records).filter((at) => wanted.has(namespaceOf(at)))
    const found = new Set<string>()
    for await (const [at, { resource }] of formatTexts(this.#run, offsets)) {
      if (resource === null) continue
      const namespace = namespaceOf(at)
      const key = toKey({ namespace, name: nameOfResource(this.#template(namespace, resource)) })
      if (workloadKinds.has(kindOfResource(resource))) found.add(`run${key}`).add(`workload${key}`)
      else found.add(`object${key}`)
    }
    return found
  }

  /** Repositories of the images by workload; undefined without an inventory. */
  images(): Map<string, Set<string>> | undefined {
    if (!this.#run.images) return undefined
    const found = new Map<string, Set<string>>()
    for (const { namespace, workload, reference } of this.#run.images) {
      if (namespace === null || workload === null) continue
      const key = toKey({ namespace, name: nameOfResource(this.#template(namespace, workload)) })
      remember(found, key, () => new Set<string>()).add(nameOfImage(reference))
    }
    return found
  }
}

/** Replaces the longest parts of a name that have a label. */
function replaceName(name: string, labelFor: (name: string) => string | undefined): string {
  if (!/[-.:]/.test(name)) return labelFor(name) ?? name
  const parts = partsOf(name)
  for (let start = 0; start < parts.length; start++) {
    for (let end = parts.length; end > start; end--) {
      const label = labelFor(parts.slice(start, end).join(''))
      if (label !== undefined) return [...parts.slice(0, start), label, ...parts.slice(end)].join('')
    }
  }
  return name
}

const toKey = ({ namespace, name }: Pick<Workload, 'namespace' | 'name'>): string => `${namespace}\n${name}`
