import { findingSeverities as severities } from '../contract/choices.ts'
import type { FindingSeverity } from '../contract/cluster-report.ts'
import { packQuickly } from '../util/pack.ts'
import { Fingerprinter, fingerprintLength } from './fingerprint.ts'
import { checkItem, type Item, maxTextLength, readItem } from './item.ts'
import type { CheckWithItems } from './read.ts'

/**
 * The findings of a run in a form that compares two runs of 200,000 findings by walking two sorted arrays: records of
 * fixed length, ordered by fingerprint, each fingerprint once. A record points into `details`: blocks of text (zstd) with
 * a text for each finding, which are read only for the findings that changed.
 */
export interface FindingIndex {
  records: Buffer
  details: Buffer[]
  checks: CheckInfo[]
  namespaces: string[]
}

export interface CheckInfo {
  id: string
  name: string
  category: string
}

/** fingerprint | place of the details u32 | namespace u32 (0: none, else index + 1) | check u16 | severity u8 | 1: about the check itself */
export const recordLength = fingerprintLength + 12

/** Numbers of checks are u16. */
export const maxChecks = 2 ** 16

/** Most severe first: a smaller rank is worse. */
export const rankOf = (severity: FindingSeverity): number => severities.indexOf(severity)
export const severityOf = (rank: number): FindingSeverity => severities[rank] ?? 'info'

/** Takes the checks of a run one by one, in the order of the report. */
export class FindingIndexer {
  readonly #records = new Records()
  readonly #details = new Texts()
  readonly #checks: CheckInfo[] = []
  readonly #namespaces = new Map<string, number>()
  readonly #fingerprinter = new Fingerprinter()
  /** Check → fingerprint → its record: replicas of a workload are one finding. Small maps are quicker than a large one. */
  readonly #seen = new Map<string, Map<string, number>>()

  /** `onItem` sees every finding of the check once. */
  add(check: CheckWithItems, onItem: (item: Item) => void = () => {}): void {
    const checkNumber = this.addCheck({ id: check.id, name: check.name, category: check.category })
    if (!check.failed) return
    const rank = rankOf(check.severity)
    const items = check.items.length > 0 ? check.items : [undefined]
    for (const raw of items) {
      const item = raw === undefined ? checkItem(check) : readItem(raw, check)
      onItem(item)
      this.addFinding(checkNumber, item, rank, raw === undefined)
    }
  }

  /** Returns its number; there may be `maxChecks`. */
  addCheck(check: CheckInfo): number {
    if (!this.#seen.has(check.id)) this.#seen.set(check.id, new Map())
    return this.#checks.push(check) - 1
  }

  addFinding(checkNumber: number, item: Item, rank: number, isOfCheck = false): void {
    const { id } = this.#checks[checkNumber]!
    const key = this.#fingerprinter.of(id, item)
    const seen = this.#seen.get(id)!
    const known = seen.get(key)
    if (known !== undefined) {
      this.#records.worsen(known, rank)
      return
    }
    const namespace = item.namespace === null ? 0 : numberOf(this.#namespaces, item.namespace)
    seen.set(key, this.#records.add(key, this.#details.add(item), namespace, checkNumber, rank, isOfCheck))
  }

  finish(): FindingIndex {
    return {
      records: this.#records.sorted(),
      details: this.#details.finish(),
      checks: this.#checks,
      namespaces: [...this.#namespaces.keys()],
    }
  }
}

function numberOf(numbers: Map<string, number>, key: string): number {
  const known = numbers.get(key)
  if (known !== undefined) return known
  numbers.set(key, numbers.size + 1)
  return numbers.size
}

/** Records in the order they come; a buffer that doubles. */
class Records {
  #bytes = Buffer.allocUnsafe(recordLength * 256)
  #length = 0

  add(fingerprint: string, place: number, namespace: number, check: number, rank: number, isOfCheck: boolean): number {
    if (this.#length + recordLength > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes, Buffer.allocUnsafe(this.#bytes.length)])
    }
    const at = this.#length
    this.#bytes.write(fingerprint, at, fingerprintLength, 'latin1')
    this.#bytes.writeUInt32LE(place, at + 16)
    this.#bytes.writeUInt32LE(namespace, at + 20)
    this.#bytes.writeUInt16LE(check, at + 24)
    this.#bytes.writeUInt8(rank, at + 26)
    this.#bytes.writeUInt8(isOfCheck ? 1 : 0, at + 27)
    this.#length += recordLength
    return at
  }

  worsen(at: number, rank: number): void {
    if (rank < this.#bytes[at + 26]!) this.#bytes[at + 26] = rank
  }

  /** By fingerprint. */
  sorted(): Buffer {
    const source = this.#bytes
    const result = Buffer.allocUnsafe(this.#length)
    let length = 0
    for (const at of sortedOffsets(source, this.#length / recordLength)) {
      // So few bytes are quicker moved than passed to `copy`.
      for (let i = 0; i < recordLength; i++) result[length++] = source[at + i]!
    }
    return result
  }
}

/** Sorting 64-bit numbers natively (32 bits of fingerprint, 32 of position) is far quicker than with a comparator. */
function sortedOffsets(records: Buffer, count: number): number[] {
  const keys = new BigUint64Array(count)
  const halves = new Uint32Array(keys.buffer)
  for (let i = 0; i < count; i++) {
    halves[2 * i] = i
    halves[2 * i + 1] = records.readUInt32BE(i * recordLength)
  }
  keys.sort()
  const offsets = Array.from({ length: count }, (_, i) => halves[2 * i]! * recordLength)
  // Fingerprints that share their first 32 bits are few: an insertion pass puts them right.
  for (let i = 1; i < count; i++) {
    if (halves[2 * i + 1] !== halves[2 * i - 1]) continue
    const offset = offsets[i]!
    let j = i
    for (; j > 0 && compareFingerprints(records, offsets[j - 1]!, records, offset) > 0; j--)
      offsets[j] = offsets[j - 1]!
    offsets[j] = offset
  }
  return offsets
}

export function compareFingerprints(a: Buffer, atA: number, b: Buffer, atB: number): number {
  return a.compare(b, atB, atB + fingerprintLength, atA, atA + fingerprintLength)
}

/** A place in the details: the block, and the byte in it at which the line starts. */
export const placeOf = (block: number, byte: number): number => block * 2 ** 21 + byte
export const blockOf = (place: number): number => Math.floor(place / 2 ** 21)
export const byteOf = (place: number): number => place % 2 ** 21

const blockLength = 2 ** 20
/** Bytes of texts, then the letters (UTF-16 units) of resource, message and value; each u16. */
const headLength = 8
/** `Item` bounds its texts: the three of them take at most this. */
const maxTextsLength = headLength + 3 * 3 * maxTextLength
const noText = 0xffff

/** `block` is an unpacked block of details. */
export function readTexts(block: Buffer, place: number): Pick<Item, 'resource' | 'message' | 'value'> {
  const head = byteOf(place)
  const start = head + headLength
  const text = block.toString('utf8', start, start + block.readUInt16LE(head))
  let at = 0
  const [resource = null, message = '', value = null] = [2, 4, 6].map((offset) => {
    const letters = block.readUInt16LE(head + offset)
    if (letters === noText) return undefined
    at += letters
    return text.slice(at - letters, at)
  })
  return { resource, message, value }
}

/** Texts in UTF-8 after their lengths; packed block by block. */
class Texts {
  #packed: Buffer[] = []
  #block = Buffer.allocUnsafe(blockLength)
  #length = 0

  /** The place at which the texts start. */
  add({ resource, message, value }: Item): number {
    if (this.#length + maxTextsLength > blockLength) this.#pack()
    const block = this.#block
    const head = this.#length
    const bytes = block.write(`${resource ?? ''}${message}${value ?? ''}`, head + headLength)
    block.writeUInt16LE(bytes, head)
    block.writeUInt16LE(resource?.length ?? noText, head + 2)
    block.writeUInt16LE(message.length, head + 4)
    block.writeUInt16LE(value?.length ?? noText, head + 6)
    this.#length = head + headLength + bytes
    return placeOf(this.#packed.length, head)
  }

  finish(): Buffer[] {
    if (this.#length > 0) this.#pack()
    return this.#packed
  }

  #pack(): void {
    this.#packed.push(packQuickly(this.#block.subarray(0, this.#length)))
    this.#length = 0
  }
}
