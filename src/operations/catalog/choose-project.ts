import { noProjectNamed, ReltError } from '../../errors.ts'
import { projectsCalled, projectsMeant } from '../../util/project-name.ts'

export interface NamedRow {
  id: number
  slug: string
  name: string
}

/**
 * Returns the wanted projects, or all if none is given. Throws `not_found` for an unknown project, and `usage` for an
 * ambiguous one.
 */
export function chooseProjects<T extends NamedRow>(projects: T[], wanted: string[]) {
  if (wanted.length === 0) return projects
  return [...new Set(wanted.map((word) => theOne(word, findProjects(projects, word))))]
}

/** Matches slug, name or id, else the short name. */
export function findProjects<T extends NamedRow>(projects: T[], word: string) {
  const called = projectsCalled(projects, word)
  if (called.length > 0) return called
  const byId = projects.find(({ id }) => String(id) === word)
  return byId ? [byId] : projectsMeant(projects, word)
}

function theOne<T extends NamedRow>(word: string, [found, ...others]: T[]) {
  if (!found) throw noProjectNamed(word)
  if (others.length === 0) return found
  const slugs = [found, ...others].slice(0, 6).map(({ slug }) => slug)
  throw new ReltError('usage', `"${word}" could be several projects.`, { hint: `Say which: ${slugs.join(', ')}` })
}
