import { describe, expect, test } from 'vitest'
import { bundledProjects } from '../../src/catalog/bundled.ts'
import cycles from '../../src/lifecycle/data/cycles.json' with { type: 'json' }
import { endOfLifeOf } from '../../src/lifecycle/end-of-life.ts'

test.each<[slug: string, version: string, today: string, expected: string | undefined]>([
  ['postgresql', '13.4', '2025-11-13', '13 2025-11-13 supported'],
  ['postgresql', '13.4', '2025-11-14', '13 2025-11-13 ended'],
  ['postgresql', '13', '2026-01-01', '13 2025-11-13 ended'],
  ['postgresql', '9.6.24', '2026-01-01', '9.6 2021-11-11 ended'],
  ['postgresql', '9.7', '2026-01-01', undefined],
  ['postgresql', '99.1', '2026-01-01', undefined],
  ['python', '3.1', '2026-01-01', undefined],
  ['python', '3.10.2', '2026-01-01', '3.10 2026-10-31 supported'],
  ['kubernetes', '1.33.6', '2026-06-29', '1.33 2026-06-28 ended'],
  ['kubernetes', '1.35', '2026-11-20', '1.35 2027-02-28 supported'],
  ['kubernetes', '1', '2026-11-20', undefined],
  ['constructor', '1.0', '2026-11-20', undefined],
  ['nobody', '1.0', '2026-11-20', undefined],
])('%s %s on %s', (slug, version, today, expected) => {
  const eol = endOfLifeOf(slug, version.split('.'), today)
  expect(eol && `${eol.cycle} ${eol.date} ${eol.is_eol ? 'ended' : 'supported'}`).toBe(expected)
})

describe('the bundled cycles', () => {
  test('are of projects of the catalog', () => {
    const slugs = new Set(bundledProjects().map(({ slug }) => slug))
    expect(Object.keys(cycles.projects).filter((slug) => !slugs.has(slug))).toEqual([])
    expect(Object.keys(cycles.projects)).toHaveLength(25)
  })

  test('have each cycle once, with a day that exists', () => {
    for (const all of Object.values(cycles.projects)) {
      expect(new Set(all.map(({ cycle }) => cycle)).size).toBe(all.length)
      for (const { cycle, eol } of all) {
        expect(cycle).toMatch(/^\d+(\.\d+)?$/)
        expect(new Date(eol).toISOString().slice(0, 10)).toBe(eol)
      }
    }
  })
})
