import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  expectedWindow,
  FindingRecords,
  findInWindow,
  findRecord,
  recordLength,
  sortRecords,
} from '../../src/reports/finding-records.ts'
import { fingerprintLength } from '../../src/reports/fingerprint.ts'

const toFingerprint = (text: string): Buffer =>
  createHash('sha256').update(text).digest().subarray(0, fingerprintLength)

function toRecords(fingerprints: Buffer[]): Buffer {
  const records = new FindingRecords()
  for (const bytes of fingerprints) {
    const at = records.put(bytes.toString('latin1'))
    records.fill(at, {
      place: 0,
      namespace: 0,
      check: 0,
      rank: 0,
      isUnrated: false,
      isUnfixed: false,
      unlisted: 'none',
      count: 1,
    })
  }
  return sortRecords(records.finish())
}

function search(records: Buffer, fingerprint: Buffer) {
  const { start, length } = expectedWindow(records.length, fingerprint)!
  const bytes = records.subarray(start, start + length)
  return { length, found: findInWindow(bytes, { start, of: records.length, fingerprint }) }
}

test('finds what a search of all records finds, or says that it is elsewhere', () => {
  const anyFingerprint = fc
    .uint8Array({ minLength: fingerprintLength, maxLength: fingerprintLength })
    .map((bytes) => Buffer.from(bytes))
  fc.assert(
    fc.property(fc.array(anyFingerprint, { maxLength: 60 }), anyFingerprint, (stored, other) => {
      const records = toRecords(stored)
      for (const fingerprint of [...stored, other]) {
        const { found } = search(records, fingerprint)
        if (found !== 'outside') expect(found).toBe(findRecord(records, fingerprint))
      }
    }),
  )
})

test('reads a small part of many records, and is sure of evenly distributed fingerprints', () => {
  const stored = Array.from({ length: 5000 }, (_, index) => toFingerprint(`stored ${index}`))
  const records = toRecords(stored)
  for (const fingerprint of [...stored, ...stored.map((_, index) => toFingerprint(`other ${index}`))]) {
    const { length, found } = search(records, fingerprint)
    expect(length).toBeLessThan(records.length / 8)
    expect(found).toBe(findRecord(records, fingerprint))
  }
})

test('says that a record is elsewhere where fingerprints are not evenly distributed', () => {
  const stored = Array.from({ length: 5000 }, (_, index) => {
    const fingerprint = toFingerprint(String(index))
    fingerprint[0] = 0
    return fingerprint
  })
  const records = toRecords(stored)
  const last = records.subarray(-recordLength, -recordLength + fingerprintLength)
  expect(search(records, last).found).toBe('outside')
})

test('leaves records of older rules to others', () => {
  expect(expectedWindow(28, toFingerprint('any'))).toBeUndefined()
})
