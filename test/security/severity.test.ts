import { expect, test } from 'vitest'
import type { Severity } from '../../src/contract/shape.ts'
import { baseScore, severityOfScore } from '../../src/security/cvss.ts'
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
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', undefined],
  ['AV:N/AC:L/Au:N/C:P/I:P/A:P', undefined],
  ['CVSS:3.1/AV:N/AC:L', undefined],
  ['CVSS:3.1/AV:Z/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', undefined],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:X/C:H/I:H/A:H', undefined],
  ['', undefined],
])('the base score of %s is %s', (vector, score) => {
  expect(baseScore(vector)).toBe(score)
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

test.each<[string, Severity]>([
  ['Severity: High', 'high'],
  ['severity is critical', 'critical'],
  ['a moderate-severity issue', 'medium'],
  ['[Important] CVE-2024-1', 'high'],
  ['(low) and (high)', 'high'],
  ['CVSS score 9.8', 'critical'],
  ['CVSS v3.1: 5.3', 'medium'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', 'high'],
  ['CVSS 4.0 is supported now', 'none'],
  ['high availability for low latency', 'none'],
  ['critical bug fixed', 'none'],
  ['', 'none'],
])('%j claims %s', (text, severity) => {
  expect(severityInText(text)).toBe(severity)
})
