import type { Db } from '../../db/open.ts'
import { ReltError } from '../../errors.ts'
import { isNamed } from '../../security/advisory-ids.ts'
import type { SourcedAdvisory } from '../../security/catalog-advisory.ts'
import { listCatalogAdvisories } from '../../store/catalog/catalog-advisory.ts'
import { listCatalogProjects } from '../../store/catalog/own-project.ts'
import { chooseProjects } from './choose-project.ts'

/** An advisory about a project, as stored in the catalog. */
export interface ProjectAdvisoryEntry extends SourcedAdvisory {
  project_id: number
  slug: string
}

/** Advisories about some projects, or about all, latest first. */
export async function listAdvisories(db: Db, wanted: string[]): Promise<ProjectAdvisoryEntry[]> {
  const projects = chooseProjects(await listCatalogProjects(db), wanted)
  const found = await listCatalogAdvisories(db, wanted.length === 0 ? undefined : projects.map(({ id }) => id))
  const entries = projects.flatMap(({ id, slug }) =>
    (found.get(id) ?? []).map((advisory) => ({ project_id: id, slug, ...advisory })),
  )
  return entries.toSorted((a, b) => (b.published_at ?? 0) - (a.published_at ?? 0) || (a.id < b.id ? -1 : 1))
}

/** Finds an advisory by any of its ids, for each project that it affects. Throws `not_found`. */
export async function findAdvisory(db: Db, typed: string): Promise<ProjectAdvisoryEntry[]> {
  const all = await listAdvisories(db, [])
  const found = all.filter((advisory) => isNamed(advisory, typed))
  if (found.length > 0) return found
  throw new ReltError('not_found', `The catalog has no advisory ${typed.trim()}.`, {
    hint: 'Look for newer facts with relt catalog sync.',
  })
}
