import type { BundledAdvisories, BundledProject, BundledReleases, DerivedFacts } from '../../src/catalog/bundled.ts'
import { readData } from '../../src/catalog/read-data.ts'
import { bundledStateFacts } from '../../src/catalog/state-facts.ts'
import { StateFacts } from '../../src/freshness/facts/state-facts.ts'
import { newestStable } from '../../src/freshness/newest-release.ts'
import { compileTagPattern } from '../../src/freshness/tag-pattern.ts'
import { parseVersion } from '../../src/freshness/versions.ts'
import { versionKey } from '../../src/security/known-security.ts'
import { parseTimestamp } from '../../src/util/time.ts'

/** By slug: the newest stable release of each project, and its app releases that fix advisories, without bad ones. */
export function derivedFacts(): Record<string, DerivedFacts> {
  const projects = readData('projects') as BundledProject[]
  const releases = readData('releases') as Partial<Record<string, BundledReleases>>
  const advisories = readData('advisories') as Partial<Record<string, BundledAdvisories>>
  const state = new StateFacts(bundledStateFacts())
  const facts = projects.map(({ slug, tag_pattern }) => {
    const { app: listed = [], pre = [] } = releases[slug] ?? {}
    const findFault = state.faultsOfProject(slug)
    const pattern = compileTagPattern(tag_pattern)
    const app = findFault ? listed.filter(([version]) => !findFault(version, parseVersion(version, pattern))) : listed
    const latest = latestOf(app)
    const fixes = toFixes([...app, ...pre.filter(([, , chart]) => chart === null)], advisories[slug], tag_pattern)
    return [slug, { ...(latest && { latest }), ...(fixes && { fixes }) }] as const
  })
  return Object.fromEntries(facts.filter(([, { latest, fixes }]) => latest || fixes))
}

function latestOf(rows: [version: string, published: string, ...unknown[]][]): DerivedFacts['latest'] {
  const newest = newestStable(
    rows.map(([version, day]) => ({ version, day, type: 'app' as const, publishedAt: parseTimestamp(day)! })),
  )
  return newest && [newest.version, newest.day]
}

function toFixes(
  rows: [version: string, ...unknown[]][],
  bundled: BundledAdvisories | undefined,
  tagPattern: string | null,
): DerivedFacts['fixes'] {
  const pattern = compileTagPattern(tagPattern)
  const places = new Map<string, number[]>()
  for (const [place, [, , , , , , affected]] of (bundled?.advisories ?? []).entries()) {
    for (const key of new Set(affected.flatMap(([, fixed]) => (fixed && versionKey(fixed)) || []))) {
      places.set(key, [...(places.get(key) ?? []), place])
    }
  }
  const fixes = rows.flatMap(([version]) => {
    const key = versionKey(version, pattern)
    const found = key === undefined ? undefined : places.get(key)
    return found ? [[version, found] as const] : []
  })
  return fixes.length > 0 ? Object.fromEntries(fixes) : undefined
}
