import table from './data/code-names.json' with { type: 'json' }

const projects: Record<string, Record<string, string>> = table.projects

/** The release that a tag of a base system names by its code name: `buster-slim` is 10. */
export function codeNamed(slug: string, tag: string): string | undefined {
  if (!Object.hasOwn(projects, slug)) return undefined
  const [name = ''] = tag.toLowerCase().split(/[-.]/)
  const names = projects[slug]!
  return Object.hasOwn(names, name) ? names[name] : undefined
}
