import { describe, expect, test } from 'vitest'
import type { Cycle } from '../../src/lifecycle/cycle.ts'
import table from '../../src/lifecycle/data/cycles.json' with { type: 'json' }
import { endOfLifeFor } from '../../src/lifecycle/end-of-life.ts'
import { supportText } from '../../src/lifecycle/support-text.ts'
import { bundledProjects } from '../helpers/bundled-catalog.ts'

const cycle = (name: string, eol: Cycle['eol'], lts: Cycle['lts'] = false): Cycle => ({ cycle: name, eol, lts })

test.each<[slug: string, version: string, today: string, expected: string | undefined]>([
  ['postgresql', '13.4', '2025-11-13', '13 is supported until 2025-11-13'],
  ['postgresql', '13.4', '2025-11-14', 'Support of 13 ended on 2025-11-13'],
  ['postgresql', '13', '2026-01-01', 'Support of 13 ended on 2025-11-13'],
  ['postgresql', '9.6.24', '2026-01-01', 'Support of 9.6 ended on 2021-11-11'],
  ['postgresql', '9.7', '2026-01-01', undefined],
  ['postgresql', '99.1', '2026-01-01', undefined],
  ['python', '3.1', '2026-01-01', undefined],
  ['python', '3.10.2', '2026-01-01', '3.10 is supported until 2026-10-31'],
  ['nodejs', '22.1.0', '2024-10-28', '22 is supported until 2027-04-30'],
  ['nodejs', '22.1.0', '2024-10-29', '22 (LTS) is supported until 2027-04-30'],
  ['ubuntu', '18.04', '2026-11-20', 'Support of 18.04 (LTS) ended on 2023-05-31'],
  ['ubuntu', '18.4', '2026-11-20', 'Support of 18.04 (LTS) ended on 2023-05-31'],
  ['ubuntu', '20.04', '2026-11-20', 'Support of 20.04 (LTS) ended on 2025-05-31'],
  ['ubuntu', '20.04.6', '2026-11-20', 'Support of 20.04 (LTS) ended on 2025-05-31'],
  ['ubuntu', '22.04', '2026-11-20', '22.04 (LTS) is supported until 2027-04-01'],
  ['ubuntu', '24.4', '2026-11-20', '24.04 (LTS) is supported until 2029-05-31'],
  ['ubuntu', '20.10', '2026-11-20', 'Support of 20.10 ended on 2021-07-22'],
  ['ubuntu', '20.40', '2026-11-20', undefined],
  ['ubuntu', '20', '2026-11-20', undefined],
  ['nginx', '1.31.4', '2026-11-20', '1.31 is supported; no end is announced'],
  ['nginx', '1.31.4', '2027-11-20', undefined],
  ['nginx', '1.27.3', '2027-11-20', 'Support of 1.27 ended on 2025-06-24'],
  ['kubernetes', '1.33.6', '2026-06-29', 'Support of 1.33 ended on 2026-06-28'],
  ['kubernetes', '1.35', '2026-11-20', '1.35 is supported until 2027-02-28'],
  ['kubernetes', '1', '2026-11-20', undefined],
  ['constructor', '1.0', '2026-11-20', undefined],
  ['nobody', '1.0', '2026-11-20', undefined],
])('%s %s on %s', (slug, version, today, expected) => {
  const eol = endOfLifeFor(slug, version.split('.'), { fetched: [], today })
  expect(eol && supportText(eol.cycle, eol)).toBe(expected)
})

test.each<[version: string, expected: string | undefined]>([
  ['18.2', '18 is supported until 2031-01-01'],
  ['18.4.1', 'Support of 18.4 has ended'],
  ['2026.07.1.9', '2026.07.1 (LTS) is supported; no end is announced'],
  ['2026.7.1', '2026.07.1 (LTS) is supported; no end is announced'],
  ['2026.70.1', undefined],
  ['13.4', 'Support of 13 ended on 2025-11-13'],
])('%s by cycles that were fetched, and else by the bundled ones', (version, expected) => {
  const fetched = [cycle('18', '2031-01-01'), cycle('18.4', true), cycle('2026.07.1', false, true)]
  const eol = endOfLifeFor('postgresql', version.split('.'), { fetched, today: '2026-11-20' })
  expect(eol && supportText(eol.cycle, eol)).toBe(expected)
})

describe('the bundled cycles', () => {
  const lines: [string, { product?: string; cycles: unknown[][] }][] = Object.entries(table)

  test('are of projects of the catalog, and of the most common ones', () => {
    const slugs = new Set(bundledProjects().map(({ slug }) => slug))
    expect(lines.filter(([slug]) => !slugs.has(slug))).toEqual([])
    expect(lines.map(([slug]) => slug)).toEqual(lines.map(([slug]) => slug).toSorted())
  })

  test('have each cycle once, with a day that exists or none', () => {
    const isDay = (value: unknown) =>
      typeof value === 'boolean' || new Date(String(value)).toJSON().startsWith(`${value}T`)
    for (const [slug, { cycles }] of lines) {
      expect([slug, cycles.length]).not.toEqual([slug, 0])
      expect(new Set(cycles.map(([name]) => name)).size).toBe(cycles.length)
      for (const [name, eol, lts = false] of cycles) {
        expect([slug, name]).toEqual([slug, expect.stringMatching(/^\d+(\.\d+){0,2}$/)])
        expect([slug, name, isDay(eol), isDay(lts)]).toEqual([slug, name, true, true])
      }
    }
  })
})
