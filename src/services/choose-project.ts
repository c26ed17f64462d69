import { ReltError } from '../errors.ts'

interface Named {
  id: number
  slug: string
  name: string
}

/** All when none is wanted; wanted by slug, name or id. Throws `not_found` for one that there is not. */
export function chooseProjects<T extends Named>(projects: T[], wanted: string[]): T[] {
  if (wanted.length === 0) return projects
  const chosen = wanted.map((word) => {
    const text = word.toLowerCase()
    const found =
      projects.find(({ slug }) => slug === text) ??
      projects.find(({ id, name }) => String(id) === word || name.toLowerCase() === text)
    if (found) return found
    throw new ReltError('not_found', `No project is called "${word}".`, { hint: 'Try: relt projects search TEXT' })
  })
  return [...new Set(chosen)]
}
