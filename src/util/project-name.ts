import aliases from './project-aliases.json' with { type: 'json' }

/** A project in a list; only relt's servers return slugs. */
export interface NamedProject {
  name: string
  slug?: string | undefined
}

/** Equal for names that differ in case, or in spaces, hyphens and underscores. */
export function nameKey(name: string) {
  return name
    .trim()
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_-]+/g, '-')
}

/** Names of projects with a common short name, such as `k8s`. */
export function namesMeant(typed: string) {
  const key = nameKey(typed)
  return Object.hasOwn(aliases, key) ? aliases[key as keyof typeof aliases] : []
}

/** Projects with this slug or name. */
export function projectsCalled<T extends NamedProject>(projects: T[], typed: string) {
  const key = nameKey(typed)
  return projects.filter(({ slug, name }) => slug === key || nameKey(name) === key)
}

/** Projects with this slug or name, else those with this short name. */
export function projectsMeant<T extends NamedProject>(projects: T[], typed: string) {
  const called = projectsCalled(projects, typed)
  if (called.length > 0) return called
  const names = new Set(namesMeant(typed).map(nameKey))
  return projects.filter(({ name }) => names.has(nameKey(name)))
}
