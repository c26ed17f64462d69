import type { ProjectSync } from '../../contract/project.ts'
import type { Db } from '../../db/open.ts'
import { listProjectNames, type ProjectName } from '../../store/catalog/project.ts'
import {
  deleteProjectsExcept,
  insertProjects,
  type ProjectFields,
  updateProjects,
} from '../../store/catalog/project-sync.ts'

/**
 * Call inside a transaction: imports a list of projects. Projects are matched by name, ignoring case; of equal names in the
 * list, the last counts. Cleaning up removes every project that the list lacks, with its releases and subscriptions. A newer
 * bundled catalog resets the fields of its own projects, and does not bring back removed ones.
 */
export async function syncProjects(trx: Db, { projects, cleanup_removed }: ProjectSync, now: number) {
  const wanted = new Map(projects.map((project) => [toKey(project.name), project]))
  const known = await listProjectNames(trx)
  const { created, updated } = divide(wanted, known)
  await insertProjects(trx, created, now)
  await updateProjects(trx, updated, now)
  const kept = [...created, ...updated].map((project) => project.slug)
  const removed = cleanup_removed ? await deleteProjectsExcept(trx, kept) : 0
  return { created: created.length, updated: updated.length, removed }
}

function divide(wanted: Map<string, ProjectFields>, known: ProjectName[]) {
  // Of several projects with one name, the oldest counts: a later entry of the same key would override it.
  const byName = new Map(known.toReversed().map((project) => [toKey(project.name), project]))
  const slugs = new Set(known.map((project) => project.slug))
  const created: (ProjectFields & { slug: string })[] = []
  const updated: (ProjectFields & ProjectName)[] = []
  for (const [key, fields] of wanted) {
    const project = byName.get(key)
    if (project) {
      updated.push({ ...project, ...fields })
    } else {
      const slug = freeSlug(fields.name, slugs)
      slugs.add(slug)
      created.push({ ...fields, slug })
    }
  }
  return { created, updated }
}

const toKey = (name: string) => name.normalize('NFC').toLowerCase()

/** `Café Überwacher` → `cafe-uberwacher`, or `cafe-uberwacher-2` if that is taken. */
export function freeSlug(name: string, taken: ReadonlySet<string>) {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
  const slug = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'project'
  for (let number = 1; ; number++) {
    const free = number === 1 ? slug : `${slug}-${number}`
    if (!taken.has(free)) return free
  }
}
