import { expect, test } from 'vitest'
import { advisoryWord } from '../../src/views/advisory-word.ts'

const advisory = (severity: 'high' | 'low', fixed_in: string | null) =>
  ({ id: 'CVE-2026-1', aliases: [], severity, score: null, published: null, fixed_in }) as never

const word = (item: Partial<Parameters<typeof advisoryWord>[0]>) =>
  advisoryWord({
    artifact_type: 'container_image',
    advisories: [],
    advisories_count: 0,
    fixed_in: null,
    ...item,
  } as never)

test.each([
  ['none', {}],
  ['?', { advisories_count: null }],
  ['2 ?', { advisories_undecided: 2 }],
  ['1 high → 2.0.1', { advisories: [advisory('high', '2.0.1')], advisories_count: 1, fixed_in: '2.0.1' }],
  ['1 high → no fix', { advisories: [advisory('high', null)], advisories_count: 1 }],
  [
    '1 high → no clean version',
    { advisories: [advisory('high', '2.0.1'), advisory('low', null)], advisories_count: 2 },
  ],
])('says %s', (expected, item) => {
  expect(word(item)).toBe(expected)
})
