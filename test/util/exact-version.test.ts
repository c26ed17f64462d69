import { describe, expect, test } from 'vitest'
import { isExactVersion, isSameVersion } from '../../src/util/exact-version.ts'

test.each([
  ['1.2.3', true],
  ['v1.2.3-rc.1', true],
  ['1.2.3+up4.5.6', true],
  ['0.0.1', true],
  ['1.2', false],
  ['1.x', false],
  ['>=1.2.3', false],
  ['main', false],
  ['v0.0.0-latest', false],
])('%s is exact: %s', (version, isExact) => {
  expect(isExactVersion(version)).toBe(isExact)
})

describe('isSameVersion', () => {
  test.each([
    ['1.2.3', 'v1.2.3', true],
    ['1.2.3', '1.2.3+0123456789ab', true],
    ['1.2.3+up4', '1.2.3+0123456789ab', true],
    ['1.2.3+up4', '1.2.3+up5', false],
    ['1.2.3', '1.2.4+0123456789ab', false],
    ['1.2.3-rc.1', '1.2.3', false],
  ])('%s and %s: %s', (wanted, running, isSame) => {
    expect(isSameVersion(wanted, running)).toBe(isSame)
  })
})
