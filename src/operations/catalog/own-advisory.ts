import { toPackages } from '../../catalog/packages.ts'
import { OsvRecord } from '../../collectors/osv-advisories/schema.ts'
import { type PackageName, toAdvisories } from '../../collectors/osv-advisories/to-advisories.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'
import { isNamed } from '../../security/advisory-ids.ts'
import type { CatalogAdvisory, SourcedAdvisory } from '../../security/catalog-advisory.ts'
import {
  listCatalogAdvisories,
  listSourcedAdvisories,
  saveAdvisoriesFor,
} from '../../store/catalog/catalog-advisory.ts'
import { type CatalogProject, listCatalogProjects } from '../../store/catalog/own-project.ts'
import { listTrackedProjects } from '../../store/catalog/source.ts'
import { chooseProjects } from './choose-project.ts'
import { updateKnownSecurity } from './known-security.ts'

/** An advisory about a project, as stored in the catalog. */
export interface ProjectAdvisoryEntry extends SourcedAdvisory {
  project_id: number
  slug: string
}

/** Advisories about some projects, or about all, latest first. */
export async function listAdvisories(db: Db, wanted: string[]): Promise<ProjectAdvisoryEntry[]> {
  const projects = chooseProjects(await listCatalogProjects(db), wanted)
  const ids = projects.map(({ id }) => id)
  const found = await listCatalogAdvisories(db, wanted.length === 0 ? undefined : ids)
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
    hint: 'Look for newer facts with relt catalog sync, or add your own with relt catalog advisories import FILE.',
  })
}

export interface ImportedAdvisories {
  /** Slug → number of advisories. */
  projects: Record<string, number>
  /** Ids of records that match no project of the catalog. */
  skipped: string[]
}

/**
 * Imports OSV records as the operator's own facts, for the given project, or else for every project that a package names: by
 * slug, name, repository, image, chart or OSV package. A second import replaces advisories with the same id. Throws
 * `invalid_json` if it is not an OSV record, and `not_found` if no record matches a project.
 */
export async function importAdvisories(
  db: Db,
  records: unknown[],
  project: string | undefined,
): Promise<ImportedAdvisories> {
  const read = records.map(readRecord)
  const all = await listCatalogProjects(db)
  const chosen = project === undefined ? undefined : chooseProjects(all, [project])
  const skipped = new Set(read.map(({ id }) => id))
  const imported: ImportedAdvisories = { projects: {}, skipped: [] }
  await write(db, 'catalog', async (trx) => {
    const tracked = new Map((await listTrackedProjects(trx)).map((one) => [one.id, one]))
    for (const one of chosen ?? all) {
      const packages = chosen ? undefined : packagesNamed(one, read)
      const own = read.filter(
        ({ affected }) => !packages || (affected ?? []).some((part) => isAmong(packages, part.package)),
      )
      const advisories = toAdvisories(one.slug, own, packages)
      if (advisories.length === 0) continue
      for (const { id } of own) skipped.delete(id)
      // An imported record keeps its own day.
      const dated = advisories.map((advisory) => ({ ...advisory, is_record_date: false }))
      await addOwnAdvisories(trx, one.id, dated)
      await updateKnownSecurity(trx, tracked.get(one.id)!)
      imported.projects[one.slug] = advisories.length
    }
  })
  imported.skipped = [...skipped]
  if (Object.keys(imported.projects).length > 0) return imported
  throw new ReltError('not_found', 'No record names a project of the catalog and versions of it.', {
    hint: 'Say which project they are about: relt catalog advisories import FILE --project SLUG',
  })
}

function readRecord(record: unknown): OsvRecord {
  const parsed = OsvRecord.safeParse(record)
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new ReltError('invalid_json', `It is not an OSV record: ${path.join('.')}: ${message}.`, {
    hint: 'The format is described at https://ossf.github.io/osv-schema.',
  })
}

function packagesNamed(project: CatalogProject, records: OsvRecord[]): PackageName[] {
  const { slug, name, repo_url, image_repositories, helm_chart_names } = project
  const repository = repo_url.replace(/^https?:\/\//, '').toLowerCase()
  const names = new Set([
    slug,
    name.toLowerCase(),
    ...image_repositories,
    ...helm_chart_names,
    ...(repository ? [repository] : []),
  ])
  const known = toPackages(slug)
  const named = records.flatMap(({ affected }) => (affected ?? []).flatMap((part) => part.package ?? []))
  return named.filter((one) => isAmong(known, one) || (!isPublic(one) && names.has(one.name.toLowerCase())))
}

/** Ecosystems whose package names are unrelated to projects. */
const isPublic = ({ ecosystem }: PackageName) =>
  ['Bitnami', 'Go', 'npm', 'PyPI', 'Maven', 'crates.io', 'RubyGems'].includes(ecosystem)

function isAmong(packages: PackageName[], one: PackageName | null | undefined): boolean {
  return packages.some(({ ecosystem, name }) => ecosystem === one?.ecosystem && name === one.name)
}

/** Adds to the operator's own advisories; replaces those with the same id. */
export async function addOwnAdvisories(trx: Db, projectId: number, advisories: CatalogAdvisory[]): Promise<void> {
  const known = (await listSourcedAdvisories(trx, [projectId])).get(projectId) ?? []
  const ids = new Set(advisories.map(({ id }) => id))
  const kept = known.filter(({ source, id }) => source === 'file' && !ids.has(id))
  await saveAdvisoriesFor(trx, projectId, 'file', [...kept, ...advisories])
}
