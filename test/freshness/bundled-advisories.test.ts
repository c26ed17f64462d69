import { describe, expect, test } from 'vitest'
import { type BundledAdvisory, bundledCatalog } from '../../src/catalog/bundled.ts'
import type { AffectedRange } from '../../src/contract/freshness.ts'
import { AdvisoryBook, type KnownAdvisory } from '../../src/freshness/affected.ts'
import { compileTagPattern } from '../../src/freshness/tag-pattern.ts'
import { parseVersion } from '../../src/freshness/versions.ts'
import { isAffected } from './range-oracle.ts'

const { projects, releases, advisories } = bundledCatalog()

const ofSlug = new Map(
  Object.entries(advisories).map(([slug, told]): [string, KnownAdvisory[]] => [
    slug,
    told!.advisories.map(
      ([id, aliases, severity, score, , , affected]: BundledAdvisory): KnownAdvisory => ({
        id,
        aliases,
        severity,
        score,
        publishedAt: 0,
        ranges: affected.map(
          ([introduced, fixed = null, last_affected = null]): AffectedRange => ({ introduced, fixed, last_affected }),
        ),
      }),
    ),
  ]),
)

/** What relt says of one version of a project: by advisory, true, false, or undefined where it cannot tell. */
function evaluate(slug: string, all: KnownAdvisory[]): (text: string) => Map<string, boolean | undefined> {
  const book = new AdvisoryBook(all)
  const tagPattern = compileTagPattern(projects.find((project) => project.slug === slug)!.tag_pattern)
  const dates = (releases[slug]?.app ?? []).some(([version]) => /^v?20\d\d\./.test(version))
  return (text) => {
    const version = parseVersion(text, tagPattern)
    if (!version) throw new Error(`${slug} ${text} is not a version`)
    const found = book.of({ version, isLine: false, yearsAreLater: dates })
    const affected = new Set(found.advisories.map(({ id }) => id))
    const undecided = new Set(found.undecided.map(({ id }) => id))
    return new Map(all.map(({ id }) => [id, undecided.has(id) ? undefined : affected.has(id)]))
  }
}

/** In the project's own line: `controller-v1.9.4` is 1.9.4. */
function ownVersion(slug: string, text: string): string {
  const pattern = projects.find((project) => project.slug === slug)!.tag_pattern
  const inner = pattern === null ? null : new RegExp(`^(?:${pattern})$`).exec(text)?.[1]
  return (inner ?? text).replace(/^[a-z-]*v?(?=\d)/i, '')
}

function differences(slug: string, versions: Iterable<string>, advisories = ofSlug.get(slug)!) {
  const evaluated = evaluate(slug, advisories)
  const wrong: string[] = []
  let [unknown, pairs] = [0, 0]
  for (const text of versions) {
    pairs++
    const told = evaluated(text)
    for (const { id, ranges } of advisories) {
      const state = told.get(id)
      if (state === undefined) unknown++
      else if (state !== isAffected(ownVersion(slug, text), ranges)) wrong.push(`${slug} ${text} ${id}: ${state}`)
    }
  }
  return { wrong, unknown, pairs }
}

const advised = [...ofSlug.keys()].filter((slug) => (releases[slug]?.app?.length ?? 0) > 0)

describe('the bundled advisories', () => {
  test('agree with another evaluator for 500 versions of all projects', () => {
    const each = Math.ceil(500 / advised.length)
    const results = advised.map((slug) => {
      // A tool of external-secrets has releases of its own among them.
      const versions = releases[slug]!.app!.map(([version]) => version).filter(
        (version) => !version.endsWith('-esoctl'),
      )
      const step = Math.max(1, Math.floor(versions.length / each))
      return differences(slug, versions.filter((_, index) => index % step === 0).slice(0, each))
    })
    const pairs = results.reduce((sum, result) => sum + result.pairs, 0)
    expect(pairs).toBeGreaterThanOrEqual(500)
    expect(results.flatMap(({ wrong }) => wrong)).toEqual([])
    expect(results.reduce((sum, { unknown }) => sum + unknown, 0)).toBe(0)
  })

  const most = advised.toSorted((a, b) => ofSlug.get(b)!.length - ofSlug.get(a)!.length).slice(0, 40)

  test.each(most.filter((_, index) => index % 2 === 0))('are right at every edge of every range of %s', (slug) => {
    const results = ofSlug.get(slug)!.map((advisory) => {
      const ends = advisory.ranges.flatMap(({ introduced, fixed, last_affected }) => [introduced, fixed, last_affected])
      const edges = ends.filter((end) => end !== null && /^\d+(?:\.\d+)+$/.test(end)) as string[]
      const near = edges.flatMap((edge) => [edge, before(edge) ?? [], after(edge)].flat())
      return differences(slug, new Set(near), [advisory])
    })
    expect(results.flatMap(({ wrong }) => wrong)).toEqual([])
    expect(results.reduce((sum, { pairs }) => sum + pairs, 0)).toBeGreaterThan(20)
  })
})

/** The version before in the same line; undefined at its beginning. */
function before(version: string): string | undefined {
  const parts = version.split('.')
  const last = Number(parts.pop())
  return last === 0 ? undefined : [...parts, last - 1].join('.')
}

function after(version: string): string {
  const parts = version.split('.')
  const last = Number(parts.pop())
  return [...parts, last + 1].join('.')
}
