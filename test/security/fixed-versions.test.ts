import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixedVersions } from '../../src/security/fixed-versions.ts'

test.each<[string, string[]]>([
  ['2.10.3, 2.9.8', ['2.10.3', '2.9.8']],
  ['>= 1.2.3', ['1.2.3']],
  ['>=1.2.3,<2.0.0', ['1.2.3']],
  ['= 1.2.3', ['1.2.3']],
  ['^1.2.3 || ~1.1.9', ['1.2.3', '1.1.9']],
  ['v1.2.3 and v1.3.0.', ['v1.2.3', 'v1.3.0']],
  ['1.2.3 (backport: `1.1.9`)', ['1.2.3', '1.1.9']],
  ['main, 1.2.3', ['1.2.3']],
  ['1.2', ['1.2']],
  ['2.0.0-rc.1', ['2.0.0-rc.1']],
  ['v1.24.17+k3s1', ['v1.24.17+k3s1']],
  ['controller-v1.9.4', ['controller-v1.9.4']],
  ['1.2.3, 1.2.3', ['1.2.3']],
  ['> 1.2.3', []],
  ['< 2.0.0', []],
  ['!= 1.2.3', []],
  ['1.2.x', []],
  ['12', []],
  ['None', []],
  ['not fixed in 1.2.3', []],
  ['1.2.3 is still vulnerable', []],
  ['versions before 1.2.3', []],
  ['', []],
  [`1.2.3 ${'and more '.repeat(100)}`, []],
])('%j names %j', (text, versions) => {
  expect(fixedVersions(text)).toEqual(versions)
})

test('a foreign text names nothing that it does not have', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'v1.2-+ ,<>=~x') }), (text) => {
      for (const version of fixedVersions(text)) expect(text).toContain(version)
    }),
  )
})
