import type { BundledCatalog, BundledReleases } from '../../src/catalog/bundled.ts'
import type { CollectedFacts } from '../../src/catalog/collected.ts'

type Told = Pick<BundledCatalog, 'releases' | 'advisories'> & { collected: CollectedFacts[] }

const mostNamed = 5

/** What is new, a line for each project and for each list of facts. */
export function changesOf(before: Told, after: Told): string[] {
  const slugs = [...new Set([...Object.keys(after.releases), ...Object.keys(after.advisories)])].sort()
  const projects = slugs.flatMap((slug) => {
    const releases = without(namesOf(after.releases[slug]), namesOf(before.releases[slug]))
    const advisories = without(idsOf(after, slug), idsOf(before, slug))
    const parts = [toPart(releases, 'release'), toPart(advisories, 'advisory')].filter((part) => part !== '')
    return parts.length > 0 ? [`${slug}: ${parts.join('; ')}`] : []
  })
  const facts = after.collected.flatMap(({ source, kind, facts }) => {
    const known = before.collected.find((one) => one.source === source && one.kind === kind)?.facts ?? []
    const added = without(facts.map(toText), known.map(toText))
    const gone = without(known.map(toText), facts.map(toText))
    return [...added.map((fact) => `+ ${source}: ${fact}`), ...gone.map((fact) => `- ${source}: ${fact}`)]
  })
  return [...projects, ...facts]
}

const toText = (fact: unknown) => JSON.stringify(fact)
const idsOf = ({ advisories }: Told, slug: string) => (advisories[slug]?.advisories ?? []).map(([id]) => id)

function namesOf({ app = [], helm = {}, pre = [] }: BundledReleases = {}) {
  const charts = Object.entries(helm).flatMap(([chart, rows]) => rows.map(([version]) => `${chart} ${version}`))
  return [...app.map(([version]) => version), ...charts, ...pre.map(([version]) => version)]
}

function without(names: string[], known: string[]) {
  const all = new Set(known)
  return names.filter((name) => !all.has(name))
}

function toPart(names: string[], what: string) {
  if (names.length === 0) return ''
  const more = names.length > mostNamed ? `, and ${names.length - mostNamed} more` : ''
  return `new ${what}: ${names.slice(0, mostNamed).join(', ')}${more}`
}
