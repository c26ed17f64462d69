import { expect, test } from 'vitest'
import { undecidedReason } from '../../src/freshness/undecided-reason.ts'
import { parseVersion } from '../../src/freshness/versions.ts'

const range = (introduced: string, fixed: string | null) => ({ introduced, fixed, last_affected: null })

test.each([
  [
    '1.30',
    [range('1.30.2', '1.30.4')],
    true,
    '1.30 covers versions inside and outside the range "1.30.2 before 1.30.4"',
  ],
  ['1.2.3', [range('0', 'next')], false, 'the range "all versions before next" is not readable'],
  [
    '1.2.3',
    [range('0', '1.0.0'), range('2024.1.0', null)],
    false,
    '1.2.3 and the range "2024.1.0 and later" use different version schemes',
  ],
  [
    '1.2.3',
    [range('0', '1.2.3-4')],
    false,
    'the order of 1.2.3 and the range "all versions before 1.2.3-4" is not known',
  ],
  ['edge-1.2.3', [range('0', '1.2.4')], false, 'the tag names another line, edge'],
  ['1.2.3', [], false, 'it does not state the affected versions in a form that can be compared'],
])('says why %s is undecided by %j', (text, ranges, isLine, reason) => {
  expect(undecidedReason({ ranges }, { version: parseVersion(text)!, isLine, yearsAreLater: false })).toBe(reason)
})
