import { expect, test } from 'vitest'
import { readVersionRange } from '../../src/security/version-range.ts'

test.each<[string, string[]]>([
  ['>= 1.0, < 1.2.3', ['1.0..1.2.3']],
  ['< v2.10.3', ['0..2.10.3']],
  ['<= 2.0.1', ['0...2.0.1']],
  ['>=1.4.0,<=1.4.7', ['1.4.0...1.4.7']],
  ['= 1.4.0', ['1.4.0...1.4.0']],
  ['>= 3.0.0', ['3.0.0..']],
  ['< 1.2.3 || >= 2.0.0-rc.1, < 2.0.4', ['0..1.2.3', '2.0.0-rc.1..2.0.4']],
])('reads %s', (text, expected) => {
  const written = readVersionRange(text)?.map(({ introduced, fixed, last_affected }) =>
    last_affected === null ? `${introduced}..${fixed ?? ''}` : `${introduced}...${last_affected}`,
  )
  expect(written).toEqual(expected)
})

test.each([
  '',
  '1.2.3',
  'all versions',
  '> 1.0',
  '1.2.x',
  '< 2.10.3, < 2.9.8',
  '>= 2.9.0, < 2.9.8, >= 2.10.0, < 2.10.3',
  '>= 1.0, = 1.2',
  '< 1.0, <= 1.1',
  '< 1.2.3 ||',
  '< 1.2.3 and later',
  `< ${'1'.repeat(500)}`,
])('leaves %j open', (text) => {
  expect(readVersionRange(text)).toBeUndefined()
})
