import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FindingRecords, recordLength } from '../../src/reports/finding-records.ts'
import { fingerprintLength } from '../../src/reports/fingerprint.ts'

describe('FindingRecords', () => {
  test('has one record of each fingerprint, in the order in which they came', () => {
    // Most of them share their first bytes, which decide their place in the table.
    const fingerprint = fc
      .array(fc.constantFrom(0, 1, 255), { minLength: fingerprintLength, maxLength: fingerprintLength })
      .map((bytes) => Buffer.from(bytes).toString('latin1'))
    fc.assert(
      fc.property(fc.array(fingerprint, { minLength: 300, maxLength: 2000 }), (fingerprints) => {
        const records = new FindingRecords()
        const distinct = [...new Set(fingerprints)]
        for (const each of [...fingerprints, ...fingerprints]) {
          expect(records.put(each)).toBe(distinct.indexOf(each) * recordLength)
        }
        expect(records.length).toBe(distinct.length * recordLength)
        const bytes = records.finish()
        const stored = distinct.map((_, i) =>
          bytes.toString('latin1', i * recordLength, i * recordLength + fingerprintLength),
        )
        expect(stored).toEqual(distinct)
      }),
      { numRuns: 20 },
    )
  })
})
