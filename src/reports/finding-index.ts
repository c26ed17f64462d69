import { findingSeverities as severities } from '../contract/choices.ts'
import type { FindingSeverity } from '../contract/scan-finding.ts'
import { isObject } from '../util/json.ts'
import { packQuickly } from '../util/pack.ts'
import { remember } from '../util/remember.ts'
import type { ReportCheck, UnreadCheck } from './check.ts'
import { ClusterNames } from './cluster-names.ts'
import { type FindingRecord, FindingRecords, maxCheckNumbers, recordLength } from './finding-records.ts'
import { Fingerprinter } from './fingerprint.ts'
import { checkItem, type Item, maxTextLength, readItem } from './item.ts'
import { noPlaces, type PlaceSets, PlaceSetsBuilder, type WorkloadPlace } from './place-sets.ts'
import { podKey } from './reported-names.ts'
import { isOfState, listsNodes } from './state-check.ts'
import { TemplateSizes } from './template-sizes.ts'
import { string } from './text.ts'

/**
 * The findings of a run, in a form that compares two runs of 200,000 findings by walking two sorted arrays of fixed-length
 * records, one for each fingerprint. A record points into `details`: compressed blocks (zstd) with the text of each finding,
 * read only for findings that changed.
 */
export interface FindingIndex {
  /** Records of a report are in its order; records of a stored run are sorted and have the store's fingerprints. */
  records: Buffer
  details: Buffer[]
  checks: CheckInfo[]
  namespaces: string[]
  suppressed: SuppressedRow[]
  /** Sets of places, for findings about something in many places, such as an image. */
  places?: PlaceSets
  /** Keys of pods that nothing owns, see `ClusterNames`. */
  bare?: string[]
}

/** A finding suppressed at its place, stored apart from the records. */
export interface SuppressedRow extends Pick<Item, 'namespace' | 'resource' | 'message' | 'value'> {
  /** Fingerprint as 32 hex digits. */
  fingerprint: string
  /** Number of the check. */
  check: number
  rank: number
  count: number
  /** Reason as the report states it. */
  reason: string | null
  until: string | null
}

/** A suppression as the report states it. */
export interface Suppression {
  reason: string | undefined
  until: string | undefined
}

/** Suppressed findings beyond this number are dropped. */
const maxSuppressed = 20_000

export interface CheckInfo {
  id: string
  name: string
  category: string
  /** Position of its subject among those of the run; absent for the first. */
  subject?: number
  /** The run did not look at these findings: they are of the scan at this time, in unix seconds. */
  since?: number
  /** As well, but because their template has no pods now. */
  isAtRest?: true
  /** As well, as far as `filteredAway` guesses. */
  isGuessed?: true
}

export const maxChecks = 2 ** 16
/** Maximum number of checks in collected operator reports, which have a check for each advisory of each image. */
export const maxCollectedChecks = Math.min(2 ** 18, maxCheckNumbers)

/** Most severe first: a smaller rank is worse. */
export const rankFor = (severity: FindingSeverity): number => severities.indexOf(severity)
export const severityFor = (rank: number): FindingSeverity => severities[rank] ?? 'unknown'

type Rows = Pick<FindingRecord, 'unlisted' | 'count' | 'isUnrated'> & {
  /** Number of the group of places, for a finding in many places. */
  group?: number | undefined
}
const listedRow: Partial<Rows> = {}

const aboutNode = /^nodes?\//i

/** Indexes the findings of a run, check by check, in the order of the report. */
export class FindingIndexer {
  readonly #records = new FindingRecords()
  readonly #details = new TextBlocks()
  readonly #checks: CheckInfo[] = []
  readonly #namespaces = new Map<string, number>()
  #fingerprinter: Fingerprinter
  readonly #sizes: TemplateSizes
  readonly #suppressed = new Map<string, SuppressedRow>()
  readonly #places = new PlaceSetsBuilder()
  readonly #names: ClusterNames
  /** The report names every node. */
  #listsNodes = false
  /** A check that names only failing nodes has findings. */
  #namesNodes = false
  /** What adds findings of pods of which only the form of a name says that something owns them, by namespace and template. */
  readonly #waiting = new Map<string, { item: Item; add: () => void }[]>()
  /** Namespace and name of each controller that rows are about. */
  readonly #controllers = new Set<string>()

  constructor(names = new ClusterNames()) {
    this.#names = names
    this.#fingerprinter = new Fingerprinter(names)
    this.#sizes = new TemplateSizes(names)
  }

  /**
   * Calls `onItem` once per finding of the check. Findings that are counted but not listed become one finding about the
   * check.
   */
  add(check: UnreadCheck, onItem: (item: Item, row: unknown) => void = () => {}): ReportCheck {
    const number = this.addCheck({ id: check.id, name: check.name, category: check.category })
    const rank = rankFor(check.severity)
    for (const row of check.suppressed) {
      const { Reason, Until, ...finding } = isObject(row) ? row : { Message: row }
      this.addSuppressed(number, readItem(finding, check), rank, { reason: string(Reason), until: string(Until) })
    }
    let listed = 0
    const read = check.read((row) => {
      const item = readItem(row, check)
      onItem(item, row)
      this.addFinding(number, item, rank)
      listed++
    })
    if (listsNodes(check.id) && read.notRun === undefined) this.#listsNodes = true
    const unlisted = read.failed ? read.total - listed : 0
    if (unlisted <= 0) return read
    this.addFinding(number, checkItem(check), rank, { unlisted: listed > 0 ? 'rest' : 'all', count: unlisted })
    return read
  }

  /** Returns the check's number, below `maxChecks`. */
  addCheck(check: CheckInfo): number {
    return this.#checks.push(check) - 1
  }

  /** Returns the number of a group of places, for findings that are in all of them. */
  addPlaces(places: WorkloadPlace[]): number {
    return this.#places.addGroup(places)
  }

  addFinding(check: number, item: Item, rank: number, rows: Partial<Rows> = listedRow): void {
    const template = this.#fingerprinter.toTemplate(item)
    if (this.#isOpen(item, template))
      this.#wait(item, template!, () => this.#add(check, item, rank, rows, this.#fingerprinter.toTemplate(item)))
    else this.#add(check, item, rank, rows, template)
  }

  /** Whether only the form of its name says that something owns a pod. */
  #isOpen({ namespace, resource }: Item, template: string | null): boolean {
    if (resource === null || namespace === null) return false
    if (!template?.startsWith('pod/')) {
      if (aboutController.test(resource)) this.#controllers.add(podKey(namespace, resource))
      return false
    }
    return isLoneForm(resource, template) && this.#names.ownershipOf(namespace, resource) === undefined
  }

  #wait(item: Item, template: string, add: () => void): void {
    remember(this.#waiting, podKey(item.namespace, template), () => []).push({ item, add })
  }

  /**
   * Siblings show that something owns pods: several with generated suffixes, or numbered from 0 on. So do rows about a
   * controller of that name.
   */
  #addWaiting(): void {
    for (const [key, waiting] of this.#waiting) {
      const resources = [...new Set(waiting.map(({ item }) => item.resource!))]
      const areNumbered = resources.every((resource) => /-\d+$/.test(resource))
      const isFirst = resources.some((resource) => resource.endsWith('-0'))
      const areSiblings = areNumbered ? resources.length > 1 && isFirst : resources.length > 2
      if (!areSiblings && !this.#controllers.has(key))
        for (const { item } of waiting) this.#names.bare.add(podKey(item.namespace, item.resource!))
    }
    // It remembers templates by the form of names.
    this.#fingerprinter = new Fingerprinter(this.#names)
    for (const { add } of [...this.#waiting.values()].flat()) add()
  }

  #add(check: number, item: Item, rank: number, rows: Partial<Rows>, template: string | null): void {
    const { isUnrated = false, unlisted = 'none', count = 1 } = rows
    const { length } = this.#records
    const { id } = this.#checks[check]!
    const group = rows.group ?? this.#toNode(id, item)
    const at = this.#records.put(this.#fingerprinter.of(id, item, template))
    this.#sizes.add(at / recordLength, { check: id, item, template })
    if (group !== undefined) this.#places.add(at / recordLength, group)
    // Rows of replicas of one workload are one finding.
    if (at < length) {
      this.#records.repeat(at, { rank, isUnrated, count })
      return
    }
    const namespace = item.namespace === null ? 0 : toNumber(this.#namespaces, item.namespace)
    const place = this.#details.add(item)
    this.#records.fill(at, {
      place,
      namespace,
      check,
      rank,
      isUnrated,
      isUnfixed: item.isUnfixed === true,
      unlisted,
      count,
    })
  }

  /** Each node counts separately: one node of a pool may fail while another recovers. */
  #toNode(check: string, { namespace, resource }: Item): number | undefined {
    if (resource === null || namespace !== null || !aboutNode.test(resource)) return undefined
    if (isOfState(check)) this.#namesNodes = true
    return this.#places.addNode(resource)
  }

  /** Adds the name of a node. `isListed`: the report names nodes whether they have findings or not. */
  addNode(name: string, isListed: boolean): void {
    this.#names.addNode(name)
    if (isListed) this.#listsNodes = true
  }

  /** Tells that nothing owns a pod; before its findings. */
  addBare(namespace: string | null, resource: string): void {
    this.#names.bare.add(podKey(namespace, resource))
  }

  addSuppressed(check: number, item: Item, rank: number, suppression: Suppression): void {
    const template = this.#fingerprinter.toTemplate(item)
    const add = () => this.#suppress(check, item, rank, suppression)
    if (this.#isOpen(item, template)) this.#wait(item, template!, add)
    else add()
  }

  #suppress(check: number, item: Item, rank: number, { reason, until }: Suppression): void {
    const { namespace, resource, message, value } = item
    const key = this.#fingerprinter.of(this.#checks[check]!.id, item)
    const known = this.#suppressed.get(key)
    if (known) {
      known.count++
      return
    }
    if (this.#suppressed.size === maxSuppressed) return
    const fingerprint = Buffer.from(key, 'latin1').toString('hex')
    const why = { reason: reason?.slice(0, 500) ?? null, until: until?.slice(0, 100) ?? null }
    this.#suppressed.set(key, { fingerprint, check, rank, count: 1, namespace, resource, message, value, ...why })
  }

  finish(): FindingIndex {
    this.#addWaiting()
    const { bare } = this.#names
    const places = this.#places.finish(
      (namespace) => (namespace === '' ? 0 : toNumber(this.#namespaces, namespace)),
      (record, set, count) => this.#records.setPlaces(record * recordLength, set, count),
    )
    const setSize = (record: number, size: number) => this.#records.setSize(record * recordLength, size)
    this.#sizes.finish(setSize, { listsNodes: this.#listsNodes })
    const areAllKnown = this.#listsNodes || !this.#namesNodes
    const nodes = areAllKnown ? this.#names.nodesWith(this.#places.nodes()) : []
    return {
      ...((places || nodes.length > 0) && { places: { ...(places ?? noPlaces), ...(nodes.length > 0 && { nodes }) } }),
      ...(bare.size > 0 && { bare: [...bare] }),
      records: this.#records.finish(),
      details: this.#details.finish(),
      checks: this.#checks,
      namespaces: [...this.#namespaces.keys()],
      suppressed: [...this.#suppressed.values()],
    }
  }
}

const aboutController = /^(?:daemonset|statefulset|job|cronjob|deployment|replicaset)s?\//i

/** Whether a pod's name is that of its template and one generated part: `db-1`, `agent-x7k2p`, `tool-20261120`. */
function isLoneForm(resource: string, template: string): boolean {
  // The kind may be in another spelling.
  const end = resource.indexOf('/') + template.length - 'pod'.length
  return resource.charAt(end) === '-' && !resource.includes('-', end + 1)
}

function toNumber(numbers: Map<string, number>, key: string): number {
  const known = numbers.get(key)
  if (known !== undefined) return known
  numbers.set(key, numbers.size + 1)
  return numbers.size
}

/** Encodes a position in the details: the block, and the byte in it at which the line starts. */
const placeFor = (block: number, byte: number): number => block * 2 ** 21 + byte
export const toBlock = (place: number): number => Math.floor(place / 2 ** 21)
const toByte = (place: number): number => place % 2 ** 21

const blockLength = 2 ** 20
/** Initial size: most reports do not fill a block. */
const firstLength = 2 ** 16
/** Header of a text: its length in bytes, then the lengths of resource, message and value in UTF-16 units; each u16. */
const headLength = 8
/** `Item` limits its texts: resource, message and value together take at most this many bytes. */
const maxTextsLength = headLength + 3 * 3 * maxTextLength
const noText = 0xffff

/** Reads the texts of one finding. `block` is a decompressed block of details. */
export function readTexts(block: Buffer, place: number): Pick<Item, 'resource' | 'message' | 'value'> {
  const head = toByte(place)
  const start = head + headLength
  const text = block.toString('utf8', start, start + block.readUInt16LE(head))
  const [resource, message, value] = [
    lettersAt(block, head + 2),
    lettersAt(block, head + 4),
    lettersAt(block, head + 6),
  ]
  const messageAt = resource ?? 0
  const valueAt = messageAt + (message ?? 0)
  return {
    resource: resource === null ? null : text.slice(0, resource),
    message: text.slice(messageAt, valueAt),
    value: value === null ? null : text.slice(valueAt, valueAt + value),
  }
}

function lettersAt(block: Buffer, at: number): number | null {
  const letters = block.readUInt16LE(at)
  return letters === noText ? null : letters
}

/** Writes texts in UTF-8 with their lengths before them, compressed block by block. */
export class TextBlocks {
  readonly #packed: Buffer[] = []
  readonly #before: number
  #block = Buffer.allocUnsafeSlow(firstLength)
  #length = 0

  /** `before`: number of blocks that precede these. */
  constructor(before = 0) {
    this.#before = before
  }

  /** Returns the position at which the texts start. */
  add({ resource, message, value }: Pick<Item, 'resource' | 'message' | 'value'>): number {
    if (this.#length + maxTextsLength > this.#block.length) this.#makeRoom()
    const block = this.#block
    const head = this.#length
    const bytes = block.write(`${resource ?? ''}${message}${value ?? ''}`, head + headLength)
    block.writeUInt16LE(bytes, head)
    block.writeUInt16LE(resource?.length ?? noText, head + 2)
    block.writeUInt16LE(message.length, head + 4)
    block.writeUInt16LE(value?.length ?? noText, head + 6)
    this.#length = head + headLength + bytes
    return placeFor(this.#before + this.#packed.length, head)
  }

  finish(): Buffer[] {
    if (this.#length > 0) this.#pack()
    return this.#packed
  }

  #makeRoom(): void {
    if (this.#block.length === blockLength) {
      this.#pack()
      return
    }
    const longer = Buffer.allocUnsafeSlow(Math.min(blockLength, 4 * this.#block.length))
    this.#block.copy(longer, 0, 0, this.#length)
    this.#block = longer
  }

  #pack(): void {
    this.#packed.push(packQuickly(this.#block.subarray(0, this.#length)))
    this.#length = 0
  }
}
