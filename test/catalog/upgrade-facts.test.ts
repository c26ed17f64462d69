import { describe, expect, test } from 'vitest'
import { bundledUpgradeFacts } from '../../src/catalog/upgrade-facts.ts'
import { StateFactsFile } from '../../src/contract/state-facts.ts'
import { compareLines } from '../../src/upgrade/line.ts'
import { bundledProjects } from '../helpers/bundled-catalog.ts'

const { compatibility, removals, breaking, components } = bundledUpgradeFacts()
const slugs = new Set(['kubernetes', ...bundledProjects().map(({ slug }) => slug)])

describe('the bundled facts for plans', () => {
  test('are of the shapes that an own file has', () => {
    const file = { compatibility, removals, breaking }
    expect(StateFactsFile.safeParse(file).error?.issues.slice(0, 3)).toBeUndefined()
  })

  test('name projects of the catalog', () => {
    const named = [...compatibility, ...breaking, ...components].map(({ slug }) => slug)
    expect([...named, ...removals.map(({ component }) => component)].filter((slug) => !slugs.has(slug))).toEqual([])
  })

  test('name each range once, with its least Kubernetes first, and a source', () => {
    const keys = compatibility.map(({ slug, line, kind, from_patch }) => [slug, line, kind, from_patch].join(' '))
    expect(new Set(keys).size).toBe(keys.length)
    for (const { kubernetes_min: min, kubernetes_max: max, source } of compatibility) {
      if (min !== null && max !== null) expect(compareLines(min, max)).toBeLessThanOrEqual(0)
      expect(source).toMatch(/^https:\/\//)
    }
  })

  test('have lines of as many numbers within a project', () => {
    const lengths = Map.groupBy(compatibility, ({ slug }) => slug)
      .values()
      .map((rows) => new Set(rows.map(({ line }) => line.split('.').length)).size)
    expect(new Set(lengths)).toEqual(new Set([1]))
  })
})
