import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatTimestamp, parseTimestamp } from '../../src/util/time.ts'

const noon = Date.UTC(2026, 2, 6, 12, 20, 27) / 1000
const midnight = Date.UTC(2026, 2, 6) / 1000

describe('parseTimestamp', () => {
  test.each([
    ['2026-03-06 12:20:27', noon],
    ['2026-03-06T12:20:27', noon],
    ['2026-03-06T12:20:27Z', noon],
    ['2026-03-06t12:20:27z', noon],
    [' 2026-03-06 12:20:27 ', noon],
    ['2026-03-06T12:20:27.999Z', noon],
    ['2026-03-06T12:20:27.123456789Z', noon],
    ['2026-03-06T12:20', noon - 27],
    ['2026-03-06', midnight],
    ['2026-03-06T12:20:27+00:00', noon],
    ['2026-03-06T14:20:27+02:00', noon],
    ['2026-03-06T14:20:27+0200', noon],
    ['2026-03-06 06:50:27 -05:30', noon],
    ['2026-03-07T02:20:27+14:00', noon],
    ['2026-03-06T00:20:27-12:00', noon],
    ['2024-02-29', Date.UTC(2024, 1, 29) / 1000],
    ['2000-02-29', Date.UTC(2000, 1, 29) / 1000],
    ['1969-12-31 23:59:59', -1],
    ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1) / 1000],
  ])('reads %j', (text, seconds) => {
    expect(parseTimestamp(text)).toBe(seconds)
  })

  test.each([
    '',
    ' ',
    'yesterday',
    '2026',
    '2026-03',
    '2026-3-6',
    '06.03.2026',
    '1772799627',
    '2026-02-29',
    '1900-02-29',
    '2026-02-30',
    '2026-04-31',
    '2026-00-10',
    '2026-13-10',
    '2026-03-00',
    '2026-03-32',
    '2026-03-06T24:00:00Z',
    '2026-03-06T12:60:00Z',
    '2026-03-06T12:00:61Z',
    '2026-03-06T12',
    '2026-03-06T12:20:27 CET',
    '2026-03-06T12:20:27+2',
    '2026-03-06T12:20:27+24:00',
    '2026-03-06T12:20:27+05:60',
    '2026-03-06T12:20:27+99:99',
    '2026-03-06Z',
    '12026-03-06',
    '+002026-03-06',
    '٢٠٢٦-٠٣-٠٦',
    '2026-03-06 12:20:27\n2026-03-06',
  ])('refuses %j', (text) => {
    expect(parseTimestamp(text)).toBeUndefined()
  })

  test('takes the zero time of other languages for what it is, or for nothing', () => {
    expect([undefined, -62_135_596_800]).toContain(parseTimestamp('0001-01-01T00:00:00Z'))
    expect([undefined, -62_167_219_200]).toContain(parseTimestamp('0000-01-01 00:00:00'))
  })

  test('reads what Date writes', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(parseTimestamp(date.toISOString())).toBe(Math.floor(date.getTime() / 1000))
        },
      ),
    )
  })
})

describe('formatTimestamp', () => {
  test.each([
    [0, '1970-01-01 00:00:00'],
    [noon, '2026-03-06 12:20:27'],
    [-1, '1969-12-31 23:59:59'],
    [253_402_300_799, '9999-12-31 23:59:59'],
  ])('writes %i as %j', (seconds, text) => {
    expect(formatTimestamp(seconds)).toBe(text)
  })

  test('is read back as the same second', () => {
    const seconds = fc.integer({ min: Date.UTC(100, 0) / 1000, max: 253_402_300_799 })
    fc.assert(fc.property(seconds, (time) => parseTimestamp(formatTimestamp(time)) === time))
  })

  test('writes every time that can be read in the form of the wire', () => {
    const two = (max: number) => fc.nat(max).map((value) => String(value).padStart(2, '0'))
    const zone = fc.oneof(
      fc.constantFrom('', 'Z'),
      fc.tuple(fc.constantFrom('+', '-'), two(23), two(59)).map(([s, h, m]) => `${s}${h}:${m}`),
    )
    const year = fc.oneof(
      fc.constantFrom('0000', '0001', '0099', '9999'),
      fc.integer({ min: 1000, max: 9999 }).map(String),
    )
    const text = fc.tuple(year, two(12), two(31), two(23), two(59), two(60), zone)
    fc.assert(
      fc.property(text, ([year, month, day, hour, minute, second, zone]) => {
        const seconds = parseTimestamp(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
        if (seconds === undefined) return
        expect(formatTimestamp(seconds)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      }),
      {
        numRuns: 1000,
        examples: [[['9999', '12', '31', '23', '59', '60', '']], [['9999', '12', '31', '23', '59', '59', '-01:00']]],
      },
    )
  })
})
