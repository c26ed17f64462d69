import { randomInt } from 'node:crypto'
import { findingSeverities } from '../contract/choices.ts'
import { fingerprintLength } from './fingerprint.ts'

const unknownRank = findingSeverities.indexOf('unknown')

/** Offsets of the fields of a record, after its fingerprint. */
const offset = {
  /** Position in the details, u32. */
  place: fingerprintLength,
  /** u32; 0: none, else index + 1. With the highest bit set, the number of a set of places instead. */
  namespace: fingerprintLength + 4,
  /** Lower 16 bits of the check's number. */
  check: fingerprintLength + 8,
  /** Rank of the severity in 3 bits, then the upper 5 bits of the check's number. */
  rank: fingerprintLength + 10,
  /** u8; 1: the finding is about the check itself, 2: unlisted rows of a check that lists others. */
  unlisted: fingerprintLength + 11,
  /** Number of rows, u32. */
  count: fingerprintLength + 12,
  /** Size of the template, u32; 0: unknown. */
  size: fingerprintLength + 16,
} as const

/** Length of a record in bytes. */
export const recordLength = fingerprintLength + 20

const maxCount = 0xffff_ffff
const setFlag = 0x8000_0000
const rankBits = 3
const rankMask = 2 ** rankBits - 1
/** How many different checks records can refer to. */
export const maxCheckNumbers = 2 ** (16 + 8 - rankBits)
const unratedBit = 0x80
const unfixedBit = 0x40

/** Unlisted rows that a finding represents: none, all rows of its check, or the rest. */
const unlistedWords = ['none', 'all', 'rest'] as const

export interface FindingRecord {
  place: number
  namespace: number
  check: number
  rank: number
  isUnrated: boolean
  /** No version of the package mends it. */
  isUnfixed: boolean
  unlisted: (typeof unlistedWords)[number]
  count: number
}

/** Offsets of all records. */
export const offsetsIn = (records: Buffer): number[] =>
  Array.from({ length: records.length / recordLength }, (_, i) => i * recordLength)

export const countAt = (records: Buffer, at: number): number => records.readUInt32LE(at + offset.count)
/** How many pods, runs or nodes the finding's template has in total, with or without this finding. 0: unknown. */
export const sizeAt = (records: Buffer, at: number): number => records.readUInt32LE(at + offset.size)
export const rankAt = (records: Buffer, at: number): number => records[at + offset.rank]! & rankMask
export const isUnratedAt = (records: Buffer, at: number): boolean => records[at + offset.unlisted]! >= unratedBit
const unlistedAt = (records: Buffer, at: number): number => records[at + offset.unlisted]! & ~(unratedBit | unfixedBit)
export const isUnfixedAt = (records: Buffer, at: number): boolean => (records[at + offset.unlisted]! & unfixedBit) !== 0
export const isUnlistedAt = (records: Buffer, at: number): boolean => unlistedAt(records, at) !== 0
export const isRestAt = (records: Buffer, at: number): boolean =>
  unlistedAt(records, at) === unlistedWords.indexOf('rest')
export const checkAt = (records: Buffer, at: number): number =>
  records.readUInt16LE(at + offset.check) + ((records[at + offset.rank]! >> rankBits) << 16)
/** 0: no namespace, or a set of places; else index + 1. */
export function namespaceAt(records: Buffer, at: number): number {
  const number = records.readUInt32LE(at + offset.namespace)
  return number < setFlag ? number : 0
}
/** Number of the set of places; undefined for a finding of one place, which its texts name. */
export function placesAt(records: Buffer, at: number): number | undefined {
  const number = records.readUInt32LE(at + offset.namespace)
  return number < setFlag ? undefined : number - setFlag
}
export const placeAt = (records: Buffer, at: number): number => records.readUInt32LE(at + offset.place)

/** The fingerprints of the records at these offsets, joined. */
export function fingerprintsAt(records: Buffer, offsets: readonly number[]): Buffer {
  const result = Buffer.allocUnsafe(offsets.length * fingerprintLength)
  for (const [i, at] of offsets.entries()) records.copy(result, i * fingerprintLength, at, at + fingerprintLength)
  return result
}

/** The fingerprints of all records, joined. */
export function allFingerprints(records: Buffer): Buffer {
  const result = Buffer.allocUnsafe((records.length / recordLength) * fingerprintLength)
  for (let at = 0, to = 0; at < records.length; at += recordLength, to += fingerprintLength) {
    records.copy(result, to, at, at + fingerprintLength)
  }
  return result
}

/**
 * Builds records in order of arrival, one for each fingerprint. The hash table holds numbers: a map of 200,000 short texts
 * is slower and takes several times the memory.
 */
export class FindingRecords {
  #bytes = Buffer.allocUnsafeSlow(recordLength * 256)
  #words = formatWords(this.#bytes)
  #length = 0
  /** Open-addressing hash table of record numbers, counted from 1. */
  #table = new Uint32Array(512)
  /** Random, so that nobody can craft fingerprints that collide. */
  readonly #factor = randomInt(2 ** 31) * 2 + 1

  get length(): number {
    return this.#length
  }

  /** Offset of the record with this fingerprint. A new record is appended, and `fill` writes the rest of it. */
  put(fingerprint: string): number {
    if (this.#length === this.#bytes.length) this.#grow()
    for (let i = 0; i < fingerprintLength; i++) this.#bytes[this.#length + i] = fingerprint.charCodeAt(i)
    const place = this.#placeFor(this.#length)
    const number = this.#table[place]!
    if (number > 0) return (number - 1) * recordLength
    const at = this.#length
    this.#length += recordLength
    this.#table[place] = this.#length / recordLength
    return at
  }

  fill(at: number, { place, namespace, check, rank, isUnrated, isUnfixed, unlisted, count }: FindingRecord): void {
    this.#bytes.writeUInt32LE(place, at + offset.place)
    this.#bytes.writeUInt32LE(namespace, at + offset.namespace)
    this.#bytes.writeUInt16LE(check & 0xffff, at + offset.check)
    this.#bytes[at + offset.rank] = rank | ((check >> 16) << rankBits)
    this.#bytes[at + offset.unlisted] =
      unlistedWords.indexOf(unlisted) | (isUnrated ? unratedBit : 0) | (isUnfixed ? unfixedBit : 0)
    this.#bytes.writeUInt32LE(count, at + offset.count)
    this.#bytes.writeUInt32LE(0, at + offset.size)
  }

  setSize(at: number, size: number): void {
    this.#bytes.writeUInt32LE(Math.min(size, maxCount), at + offset.size)
  }

  /** The table slot with this fingerprint's record, or the free slot for it. */
  #placeFor(at: number): number {
    const last = this.#table.length - 1
    let place = Math.imul(this.#words[at / wordLength]!, this.#factor) >>> Math.clz32(last)
    for (;;) {
      const number = this.#table[place]!
      if (number === 0 || this.#haveSameFingerprint(at, (number - 1) * recordLength)) return place
      place = (place + 1) & last
    }
  }

  #haveSameFingerprint(a: number, b: number): boolean {
    for (let at = 0; at < fingerprintLength; at += wordLength) {
      if (this.#words[(a + at) / wordLength] !== this.#words[(b + at) / wordLength]) return false
    }
    return true
  }

  /** The table stays at least half empty. */
  #grow(): void {
    const bytes = Buffer.allocUnsafeSlow(2 * this.#bytes.length)
    this.#bytes.copy(bytes)
    this.#bytes = bytes
    this.#words = formatWords(bytes)
    this.#table = new Uint32Array(2 * this.#table.length)
    for (let at = 0; at < this.#length; at += recordLength) this.#table[this.#placeFor(at)] = at / recordLength + 1
  }

  /** Adds a row to the same finding: the worst severity counts, and an unknown one may be worse than all but the first. */
  repeat(at: number, { rank, isUnrated, count }: Pick<FindingRecord, 'rank' | 'isUnrated' | 'count'>): void {
    const order = (each: number) => (each === unknownRank ? 0.5 : each)
    const before = this.#bytes[at + offset.rank]!
    if (order(rank) < order(before & rankMask)) {
      this.#bytes[at + offset.rank] = (before & ~rankMask) | rank
      this.#bytes[at + offset.unlisted] =
        (this.#bytes[at + offset.unlisted]! & ~unratedBit) | (isUnrated ? unratedBit : 0)
    }
    this.#bytes.writeUInt32LE(Math.min(countAt(this.#bytes, at) + count, maxCount), at + offset.count)
  }

  /** Assigns a set of places to the finding. `count`: number of places, if each counts once. */
  setPlaces(at: number, set: number, count: number | undefined): void {
    this.#bytes.writeUInt32LE(setFlag + set, at + offset.namespace)
    if (count !== undefined) this.#bytes.writeUInt32LE(count, at + offset.count)
  }

  /** Returns the records in order of arrival. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}

/** A copy of one record with another position, check, and namespace or set of places. */
export function rewriteRecord(
  records: Buffer,
  at: number,
  { place, check, ...where }: { place: number; check: number } & ({ namespace: number } | { set: number }),
): Buffer {
  const record = Buffer.from(records.subarray(at, at + recordLength))
  record.writeUInt32LE(place, offset.place)
  record.writeUInt32LE('set' in where ? setFlag + where.set : where.namespace, offset.namespace)
  record.writeUInt16LE(check & 0xffff, offset.check)
  record[offset.rank] = rankAt(record, 0) | ((check >> 16) << rankBits)
  return record
}

/** Number of records by severity, worst first. */
export function countRanks(records: Buffer): number[] {
  const counts = findingSeverities.map(() => 0)
  for (let at = 0; at < records.length; at += recordLength) counts[rankAt(records, at)]!++
  return counts
}

/** Sorts records by fingerprint. */
export function sortRecords(source: Buffer): Buffer {
  const result = Buffer.allocUnsafeSlow(source.length)
  const [from, to] = [formatWords(source), formatWords(result)]
  let length = 0
  for (const at of sortedOffsets(source, source.length / recordLength)) {
    const start = at / wordLength
    for (let i = 0; i < recordLength / wordLength; i++) to[length++] = from[start + i]!
  }
  return result
}

/** Replaces all fingerprints: `change` gets them joined, and returns as many. */
export function changeFingerprints(records: Buffer, change: (fingerprints: Buffer) => Buffer): Buffer {
  const result = Buffer.allocUnsafeSlow(records.length)
  records.copy(result)
  const words = formatWords(result)
  const fingerprints = Buffer.allocUnsafeSlow((records.length / recordLength) * fingerprintLength)
  const plain = formatWords(fingerprints)
  const [stride, size] = [recordLength / wordLength, fingerprintLength / wordLength]
  for (let at = 0, to = 0; at < words.length; at += stride, to += size) {
    for (let i = 0; i < size; i++) plain[to + i] = words[at + i]!
  }
  const changed = formatWords(change(fingerprints))
  for (let at = 0, from = 0; at < words.length; at += stride, from += size) {
    for (let i = 0; i < size; i++) words[at + i] = changed[from + i]!
  }
  return result
}

const wordLength = Uint32Array.BYTES_PER_ELEMENT

/** A view of the bytes as 32-bit words, which sort much faster. Unaligned bytes are copied first. */
function formatWords(bytes: Buffer): Uint32Array {
  const { buffer, byteOffset, length } = bytes.byteOffset % wordLength === 0 ? bytes : Buffer.from(bytes)
  return new Uint32Array(buffer, byteOffset, length / wordLength)
}

/**
 * Packs 32 bits of the fingerprint and 32 of the position into one number: native sorting is far faster than a comparator.
 */
function sortedOffsets(records: Buffer, count: number): number[] {
  const keys = new BigUint64Array(count)
  const halves = new Uint32Array(keys.buffer)
  for (let i = 0; i < count; i++) {
    halves[2 * i] = i
    halves[2 * i + 1] = records.readUInt32BE(i * recordLength)
  }
  keys.sort()
  const offsets = Array.from({ length: count }, (_, i) => halves[2 * i]! * recordLength)
  // Few fingerprints share their first 32 bits: an insertion pass sorts them.
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

function compareFingerprints(a: Buffer, atA: number, b: Buffer, atB: number): number {
  return a.compare(b, atB, atB + fingerprintLength, atA, atA + fingerprintLength)
}

/**
 * Compares fingerprints of two runs, `a` and `b` being offsets. Most are in both runs, and comparing words detects that much
 * faster than `Buffer.compare`.
 */
export function fingerprintOrder(from: Buffer, to: Buffer): (a: number, b: number) => number {
  const [before, after] = [formatWords(from), formatWords(to)]
  return (a, b) => {
    for (let i = 0; i < fingerprintLength / wordLength; i++) {
      if (before[a / wordLength + i] !== after[b / wordLength + i]) return compareFingerprints(from, a, to, b)
    }
    return 0
  }
}

/** Offset of the record with this fingerprint (16 bytes) in sorted records. */
export function findRecord(records: Buffer, fingerprint: Uint8Array): number | undefined {
  let [low, high] = [0, records.length / recordLength]
  while (low < high) {
    const middle = (low + high) >>> 1
    const at = middle * recordLength
    const order = records.compare(fingerprint, 0, fingerprintLength, at, at + fingerprintLength)
    if (order === 0) return at
    if (order < 0) low = middle + 1
    else high = middle
  }
  return undefined
}

/**
 * The byte range of the sorted records that probably contains this fingerprint. Fingerprints are evenly distributed, so the first
 * bytes predict the position, within eight standard deviations. Undefined for records of older rules.
 */
export function expectedWindow(length: number, fingerprint: Buffer) {
  if (length % recordLength !== 0) return undefined
  const count = length / recordLength
  const expected = (fingerprint.readUInt32BE() / 2 ** 32) * count
  const margin = 4 * Math.sqrt(count) + 4
  const from = Math.max(0, Math.floor(expected - margin))
  const to = Math.min(count, Math.ceil(expected + margin))
  return { start: from * recordLength, length: (to - from) * recordLength }
}

/**
 * Offset of the record with this fingerprint, searched in the range of all sorted records that starts at `start`; `of` is
 * the length of all records. Undefined if no record has it. `outside`: the record would be outside this range.
 */
export function findInWindow(
  bytes: Buffer,
  { start, of, fingerprint }: { start: number; of: number; fingerprint: Uint8Array },
): number | undefined | 'outside' {
  const at = findRecord(bytes, fingerprint)
  if (at !== undefined) return start + at
  const compareAt = (offset: number) =>
    bytes.compare(fingerprint, 0, fingerprintLength, offset, offset + fingerprintLength)
  const isAfterFirst = start === 0 || (bytes.length > 0 && compareAt(0) < 0)
  const isBeforeLast = start + bytes.length === of || (bytes.length > 0 && compareAt(bytes.length - recordLength) > 0)
  return isAfterFirst && isBeforeLast ? undefined : 'outside'
}
