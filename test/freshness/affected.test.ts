import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AffectedRange } from '../../src/contract/freshness.ts'
import { AdvisoryBook, type KnownAdvisory } from '../../src/freshness/affected.ts'
import { parseVersion } from '../../src/freshness/versions.ts'
import { isAffected } from './range-oracle.ts'

/** `0..1.2.3` ends before 1.2.3, `1.0.0...1.2.3` with it, `1.0.0` not at all. */
function rangeFor(text: string): AffectedRange {
  const [introduced = '', last] = text.split('...')
  if (last !== undefined) return { introduced, fixed: null, last_affected: last }
  const [start = '', fixed = null] = text.split('..')
  return { introduced: start, fixed, last_affected: null }
}

function advisory(id: string, ...ranges: string[]): KnownAdvisory {
  return { id, aliases: [], severity: null, score: null, publishedAt: 0, ranges: ranges.map(rangeFor) }
}

function toState(text: string, ranges: string[], how: { isLine?: boolean; yearsAreLater?: boolean } = {}): string {
  const version = parseVersion(text)
  if (!version) throw new Error(`${text} is not a version`)
  const book = new AdvisoryBook([advisory('CVE-2026-1', ...ranges)])
  const running = { version, isLine: false, yearsAreLater: false, ...how }
  const { advisories, undecided } = book.of(running)
  const state = advisories.length > 0 ? 'affected' : undecided.length > 0 ? 'unknown' : 'not_affected'
  expect(book.isClean(running)).toBe(state === 'not_affected')
  return state
}

describe('AdvisoryBook', () => {
  test.each([
    ['1.2.3', '0..1.2.4', 'affected'],
    ['1.2.4', '0..1.2.4', 'not_affected'],
    ['1.2.4', '1.2.0...1.2.4', 'affected'],
    ['1.2.5', '1.2.0...1.2.4', 'not_affected'],
    ['1.1.9', '1.2.0...1.2.4', 'not_affected'],
    ['99.0.0', '1.2.0', 'affected'],
    ['v18.6', '18.0.0...18.6.0', 'affected'],
    ['3.9.4.1', '3.9.0..3.9.4.2', 'affected'],
    ['3.9.4.2', '3.9.0..3.9.4.2', 'not_affected'],
    ['3.9.4', '3.9.4.1..3.9.5', 'not_affected'],
    ['1.10.0', '1.9.0..1.9.9', 'not_affected'],
  ])('compares %s with the numbers of %s', (version, range, state) => {
    expect(toState(version, [range])).toBe(state)
  })

  test.each([
    ['2.6.0-rc1', '0..2.6.0', 'affected'],
    ['2.6.0-rc1', '2.6.0..2.6.2', 'not_affected'],
    ['2.6.0-rc.2', '2.6.0-rc1..2.6.0-rc.3', 'affected'],
    ['2.6.0-rc.10', '2.6.0-rc1..2.6.0-rc.3', 'not_affected'],
    ['3.13.0a2', '3.13.0a1..3.13.0b1', 'affected'],
    ['3.13.0b1', '3.13.0a1..3.13.0b1', 'not_affected'],
    ['2.1.0-agw-cel-rbac', '2.1.0-agw-cel-rbac..2.1.0', 'affected'],
    ['4.1.2', '0..4.1.2-0.20171004201910-6be8113eb60', 'not_affected'],
    ['3.1-dev3', '3.1..3.1-dev6', 'unknown'],
    ['2.6.0-snapshot', '2.6.0-rc1..2.6.0-rc.3', 'unknown'],
  ])('places the pre-release or release %s in %s', (version, range, state) => {
    expect(toState(version, [range])).toBe(state)
  })

  test.each([
    ['1.27.3-alpine3.20', '0..1.27.3', 'not_affected'],
    ['1.27.3-debian-12-r4', '0...1.27.3', 'affected'],
    ['v1.33.6-gke.2700', '1.33.0..1.33.6', 'not_affected'],
    ['v1.33.6+k3s1', '0..1.33.7', 'affected'],
    ['11.6.0', '11.6.0...11.6.0', 'affected'],
    ['11.6.0-security-01', '11.6.0...11.6.0', 'not_affected'],
    ['v11.6.0+security-01', '11.6.0...11.6.0', 'not_affected'],
    ['11.6.0-r1', '11.6.0...11.6.0', 'affected'],
    ['12.0.0', '12.0.0..12.0.0+security-01', 'affected'],
    ['12.0.0-r1', '12.0.0..12.0.0+security-01', 'affected'],
    ['12.0.0-security-01', '12.0.0..12.0.0+security-01', 'not_affected'],
    ['v12.0.0+security-01', '12.0.0..12.0.0-security-01', 'not_affected'],
    ['12.0.1', '12.0.0..12.0.0+security-01', 'not_affected'],
    ['11.6.14-security-01', '11.6.0..11.6.14+security-04', 'affected'],
    ['11.6.14-security-04-ubuntu', '11.6.0..11.6.14+security-04', 'not_affected'],
    ['11.6.14-security-10', '11.6.0..11.6.14+security-04', 'not_affected'],
    ['11.6.14', '11.6.14+security-01..11.6.15', 'not_affected'],
    ['11.6.14-security-01', '11.6.14+security-01..11.6.15', 'affected'],
  ])('sees the version behind the suffix of %s in %s', (version, range, state) => {
    expect(toState(version, [range])).toBe(state)
  })

  test.each([
    ['RELEASE.2025-10-14T00-00-00Z', '0..2025-10-15T17-29-55Z', 'affected'],
    ['RELEASE.2025-10-15T17-29-55Z', '0..2025-10-15T17-29-55Z', 'not_affected'],
    ['2024.2.4', '2024-01-31T00-00-00Z..2024-02-04T00-00-00Z', 'not_affected'],
    ['2024.10.1', '2024.8.0..2024.10.2', 'affected'],
    ['2021.12.16', '0..10.11.5', 'unknown'],
    ['10.11.4', '0..2021.12.20', 'unknown'],
  ])('compares the date of %s with %s', (version, range, state) => {
    expect(toState(version, [range])).toBe(state)
  })

  test('compares a version with years where the project went over to years', () => {
    expect(toState('5.19.0', ['0..2026.1.0'], { yearsAreLater: true })).toBe('affected')
  })

  test.each([
    ['1.30', '0..1.31.0', 'affected'],
    ['1.30', '1.31.0..1.31.4', 'not_affected'],
    ['1.30', '0..1.30.0', 'not_affected'],
    ['1.30', '0..1.30.4', 'unknown'],
    ['1.30', '1.30.2', 'unknown'],
    ['1.30', '1.29.0...1.30.9', 'unknown'],
    ['18', '17.1.0..19.0.0', 'affected'],
    ['12.0', '12.0.0..12.0.0+security-01', 'unknown'],
  ])('takes the tag %s for its whole line in %s', (version, range, state) => {
    expect(toState(version, [range], { isLine: true })).toBe(state)
  })

  test.each([
    ['6.8.2', '6.7.2-7..6.8.2-1'],
    ['9.0.35', '0..9.0.35-3.57.3'],
    ['9.0.35', '0...9.0.35-3.57.3'],
    ['1.2.3', '0..next'],
    ['stable-2.14.10', '0..2.15.0'],
  ])('cannot tell for %s and %s', (version, range) => {
    expect(toState(version, [range])).toBe('unknown')
  })

  test('is certain where one range holds the version and another cannot be compared', () => {
    expect(toState('1.2.3', ['0..next', '1.2.0..1.2.9'])).toBe('affected')
    expect(toState('1.2.9', ['0..next', '1.2.0..1.2.9'])).toBe('unknown')
  })

  test('an advisory without any range is unknown for every version', () => {
    expect(toState('1.2.3', [])).toBe('unknown')
  })

  test.each([
    ['1.2.3', ['0..1.2.4'], '1.2.4'],
    ['1.2.3', ['0..1.2.4', '1.2.0..1.3.1', '1.3.0..1.3.2'], '1.3.2'],
    ['1.2.3', ['0..1.2.4', '1.2.0'], null],
    ['1.2.3', ['0...1.2.4'], null],
    ['11.6.14', ['11.6.0..11.6.14+security-04'], '11.6.14+security-04'],
    ['11.6.14', ['11.6.0..11.6.14+security-04', '11.6.14+security-04..11.6.15'], '11.6.15'],
  ])('names the first version out of all ranges of %s in %j', (text, ranges, fixed) => {
    const book = new AdvisoryBook([advisory('CVE-2026-1', ...ranges)])
    const running = { version: parseVersion(text)!, isLine: false, yearsAreLater: false }
    expect(book.of(running).advisories[0]?.fixedIn).toBe(fixed)
  })

  test('lists the worst first, and those that nobody rates last', () => {
    const rate = (id: string, severity: KnownAdvisory['severity'], score: number | null, publishedAt = 0) => ({
      ...advisory(id, '0'),
      severity,
      score,
      publishedAt,
    })
    const book = new AdvisoryBook([
      rate('CVE-2026-1', null, null),
      rate('CVE-2026-2', 'medium', 5),
      rate('CVE-2026-3', 'critical', 9.1),
      rate('CVE-2026-4', 'critical', 9.8, 1),
      rate('CVE-2026-5', 'critical', 9.8, 2),
    ])
    const { advisories } = book.of({ version: parseVersion('1.0.0')!, isLine: false, yearsAreLater: false })
    expect(advisories.map(({ id }) => id.at(-1)).join('')).toBe('54321')
  })

  const number = fc.integer({ min: 0, max: 3 })
  const stage = fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom('-alpha.', '-beta.', '-rc.', '-rc'), number).map((parts) => parts.join('')),
    },
  )
  const version = fc
    .tuple(fc.array(number, { minLength: 3, maxLength: 4 }), stage)
    .map(([numbers, end]) => `${numbers.join('.')}${end}`)
  const range = fc.oneof(
    version,
    fc.tuple(fc.oneof(version, fc.constant('0')), fc.constantFrom('..', '...'), version).map((parts) => parts.join('')),
  )

  test('agrees with another evaluator about any version and ranges', () => {
    fc.assert(
      fc.property(version, fc.array(range, { minLength: 1, maxLength: 3 }), (text, ranges) => {
        const state = toState(text, ranges)
        if (state !== 'unknown') expect(state === 'affected').toBe(isAffected(text, ranges.map(rangeFor)))
        else expect(text).toContain('-')
      }),
      { numRuns: 1000 },
    )
  })
})
