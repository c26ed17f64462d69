import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Severity } from '../../src/contract/shape.ts'
import { preferRating, type SeverityRating } from '../../src/security/catalog-advisory.ts'
import { baseScore } from '../../src/security/cvss.ts'
import { rate, severityOfScore } from '../../src/security/rating.ts'
import { severityInText } from '../../src/security/severity-in-text.ts'

// Vectors with the scores that the National Vulnerability Database publishes for them.
test.each<[string, number | undefined]>([
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', 7.5],
  ['CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
  ['CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 7.8],
  ['CVSS:3.1/AV:L/AC:H/PR:N/UI:R/S:C/C:H/I:H/A:H', 7.7],
  ['CVSS:3.1/AV:N/AC:H/PR:L/UI:N/S:U/C:N/I:L/A:N', 3.1],
  ['CVSS:3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
  ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H/E:P', 9.9],
  ['CVSS:3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N', 4.6],
  // Examples of CVSS 2.0 and 3.1: https://www.first.org/cvss/v2/guide, https://www.first.org/cvss/v3.1/examples
  ['AV:N/AC:L/Au:N/C:N/I:N/A:C', 7.8],
  ['AV:N/AC:L/Au:N/C:C/I:C/A:C', 10],
  ['AV:L/AC:H/Au:N/C:C/I:C/A:C', 6.2],
  ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4],
  ['CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1],
  ['CVSS:3.0/AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:L/A:L', 4.2],
  ['AV:N/AC:L/Au:N/C:P/I:P/A:P', 7.5],
  ['(AV:N/AC:L/Au:N/C:P/I:P/A:P)', 7.5],
  ['AV:L/AC:L/Au:N/C:C/I:C/A:C/E:POC/RL:OF', 7.2],
  ['AV:N/AC:L/Au:N/C:P/I:P', undefined],
  ['CVSS:3.1/AV:N/AC:L', undefined],
  ['CVSS:3.1/AV:Z/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', undefined],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:X/C:H/I:H/A:H', undefined],
  ['CVSS:3.1/AV:N/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', undefined],
  ['CVSS:3.2/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', undefined],
  ['cvss:3.1/av:n/ac:l/pr:n/ui:n/s:u/c:h/i:h/a:h', undefined],
  ['', undefined],
])('the base score of %s is %s', (vector, score) => {
  expect(baseScore(vector)).toBe(score)
})

// From the examples of CVSS 4.0: https://www.first.org/cvss/v4.0/examples
test.each<[string, number | undefined]>([
  ['AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.3],
  ['AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.7],
  ['AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N', 8.3],
  ['AV:L/AC:L/AT:N/PR:N/UI:A/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N', 4.6],
  ['AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N', 5.1],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N', 6.9],
  ['AV:L/AC:L/AT:N/PR:H/UI:N/VC:N/VI:N/VA:N/SC:H/SI:N/SA:N', 5.9],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N', 8.7],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 9.3],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 10],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N', 0],
  // A threat and an environment change no base score, and a sum that ends on 5 is rounded up.
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:U/MSI:S/U:Clear', 9.3],
  ['AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:L/VA:N/SC:H/SI:H/SA:H', 8.6],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N', undefined],
  ['AV:X/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', undefined],
])('the base score of CVSS:4.0/%s is %s', (metrics, score) => {
  expect(baseScore(`CVSS:4.0/${metrics}`)).toBe(score)
})

test('a foreign vector has a score, or none, and says nothing on the console', () => {
  const said = vi.spyOn(console, 'warn')
  const part = fc.oneof(
    fc.constantFrom('AV:N', 'AC:L', 'S:C', '__proto__:N', 'constructor:H', 'AV:', ':', 'C:H', 'VC:H', 'A::', 'I:Z', ''),
    fc.string({ maxLength: 8 }),
  )
  const beginning = fc.constantFrom('CVSS:4.0/', 'CVSS:3.1/', 'CVSS:3.0/', 'AV:', '')
  fc.assert(
    fc.property(beginning, fc.array(part, { maxLength: 20 }), (begins, parts) => {
      const score = baseScore(begins + parts.join('/'))
      expect(score === undefined || (score >= 0 && score <= 10)).toBe(true)
    }),
  )
  expect(baseScore(`CVSS:4.0/${'AV:N/'.repeat(100_000)}`)).toBeUndefined()
  expect(said).not.toHaveBeenCalled()
})

test.each<[number, Severity]>([
  [10, 'critical'],
  [9, 'critical'],
  [8.9, 'high'],
  [7, 'high'],
  [6.9, 'medium'],
  [4, 'medium'],
  [3.9, 'low'],
  [0.1, 'low'],
  [0, 'none'],
])('a score of %s is %s', (score, severity) => {
  expect(severityOfScore(score)).toBe(severity)
})

const [of2, of3, of4] = [
  'AV:N/AC:L/Au:N/C:N/I:N/A:C',
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H',
  'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
]

test.each<[string, unknown[], Severity | null, number | null]>([
  ['CVSS 3 before 4 and 2', [of2, of4, of3], 'high', 8.8],
  ['CVSS 4 before 2', [of2, of4], 'critical', 9.3],
  ['CVSS 2 alone', [of2], 'high', 7.8],
  ['a vector before a word', ['low', of2], 'high', 7.8],
  ['a word where no vector is valid', ['CVSS:3.1/AV:N', 'Important'], 'high', null],
  ['the first word that is known', ['awful', ' MODERATE ', 'critical'], 'medium', null],
  ['harmless, which is not unrated', ['CVSS:3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N'], 'none', 0],
  ['unrated, which is not low', ['unknown', '', 5, null, undefined, {}, ['high']], null, null],
  ['unrated without a statement', [], null, null],
])('rates by %s', (_, statements, severity, score) => {
  expect(rate(statements)).toEqual({ severity, score })
})

test.each<[string, SeverityRating, SeverityRating, 'first' | 'second']>([
  ['the first score', { severity: 'low', score: 3 }, { severity: 'high', score: 8 }, 'first'],
  ['a score before a word', { severity: 'low', score: null }, { severity: 'high', score: 8 }, 'second'],
  ['the first word', { severity: 'low', score: null }, { severity: 'high', score: null }, 'first'],
  ['any word before none', { severity: null, score: null }, { severity: 'low', score: null }, 'second'],
])('of two ratings, prefers %s', (_, first, second, wanted) => {
  expect(preferRating(first, second)).toEqual(wanted === 'first' ? first : second)
})

test.each<[string, Severity]>([
  ['Severity: High', 'high'],
  ['severity is critical', 'critical'],
  ['a moderate-severity issue', 'medium'],
  ['[Important] CVE-2024-1', 'high'],
  ['(low) and (high)', 'high'],
  ['CVSS score 9.8', 'critical'],
  ['CVSS v3.1: 5.3', 'medium'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', 'high'],
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/U:Clear.', 'critical'],
  ['CVSS 4.0 is supported now', 'none'],
  ['high availability for low latency', 'none'],
  ['critical bug fixed', 'none'],
  ['', 'none'],
])('%j claims %s', (text, severity) => {
  expect(severityInText(text)).toBe(severity)
})
