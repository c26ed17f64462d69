import table from './data/code-names.json' with { type: 'json' }

const projects: Record<string, Record<string, string>> = table.projects

/** The release whose code name is in a base system's tag: `buster-slim` is 10. */
export function codeNamed(slug: string, tag: string) {
  if (!Object.hasOwn(projects, slug)) return undefined
  const [name = ''] = tag.toLowerCase().split(/[-.]/)
  const names = projects[slug]!
  return Object.hasOwn(names, name) ? names[name] : undefined
}

export interface EndedBase {
  /** Name with the version: `Debian 10 (buster)` */
  name: string
  /** `YYYY-MM-DD` */
  end: string
}

const builtUntil: Record<string, Record<string, string>> = table.builtUntil
const builtLonger: Record<string, Record<string, string>> = table.builtLonger
const titles: Record<string, string> = { debian: 'Debian', ubuntu: 'Ubuntu' }

/**
 * The base system named in an image's variant, as in `slim-buster`, if images are no longer built on it: official images are
 * built on the two latest releases of Debian, and on releases of Ubuntu until their support ends. Some projects build on a
 * release of Debian until its long-term support ends.
 */
export function endedBase(
  words: readonly string[],
  { project, today }: { project: string; today: string },
): EndedBase | undefined {
  for (const word of words) {
    for (const slug of Object.keys(builtUntil)) {
      const cycle = codeNamed(slug, word)
      const end = cycle === undefined ? undefined : (builtLonger[project]?.[cycle] ?? builtUntil[slug]![cycle])
      if (end !== undefined && end < today) return { name: `${titles[slug]} ${cycle} (${word})`, end }
    }
  }
  return undefined
}
