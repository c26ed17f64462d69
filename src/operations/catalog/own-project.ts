import type { OwnProject } from '../../contract/catalog.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'
import { forgetCycles } from '../../store/catalog/cycle.ts'
import {
  type CatalogProject,
  deleteProject,
  insertOwnProject,
  listCatalogProjects,
  ownOrigins,
  updateOwnProject,
} from '../../store/catalog/own-project.ts'
import { chooseProjects } from './choose-project.ts'
import { freeSlug } from './sync-projects.ts'

/** Throws `usage` if the name is taken. */
export function addOwnProject(db: Db, project: OwnProject, now: number): Promise<CatalogProject> {
  return write(db, 'catalog', async (trx) => {
    const known = await listCatalogProjects(trx)
    const same = known.find(({ name }) => name.toLowerCase() === project.name.toLowerCase())
    if (same) {
      throw new ReltError('usage', `A project named ${same.name} exists: ${same.slug}.`, {
        hint: 'Choose another name, or change it if it is one of your own: relt catalog edit PROJECT',
      })
    }
    const slug = freeSlug(project.name, new Set(known.map((each) => each.slug)))
    const origin = 'user'
    const id = await insertOwnProject(trx, { ...project, slug, origin }, now)
    return { ...project, id, slug, origin }
  })
}

/** Omitted fields do not change. Throws `not_found`, and `forbidden` for a bundled project. */
export function editOwnProject(
  db: Db,
  wanted: string,
  changes: Partial<OwnProject>,
  now: number,
): Promise<CatalogProject> {
  return write(db, 'catalog', async (trx) => {
    const known = await getOwnProject(trx, wanted)
    const project = { ...known, ...changes }
    const isMoved = project.repo_url !== known.repo_url || project.helm_chart_repo !== known.helm_chart_repo
    await updateOwnProject(trx, project.id, { ...project, isMoved }, now)
    if (project.eol_product !== known.eol_product) await forgetCycles(trx, project.id)
    return project
  })
}

/** Removes a project with its releases and subscriptions. Throws `not_found`, and `forbidden` for a bundled project. */
export function removeOwnProject(db: Db, wanted: string): Promise<CatalogProject> {
  return write(db, 'catalog', async (trx) => {
    const project = await getOwnProject(trx, wanted)
    await deleteProject(trx, project.id)
    return project
  })
}

export async function getOwnProject(db: Db, wanted: string): Promise<CatalogProject> {
  const [project] = chooseProjects(await listCatalogProjects(db), [wanted])
  if (ownOrigins.some((origin) => origin === project!.origin)) return project!
  throw new ReltError('forbidden', `${project!.name} is not one of your own projects.`, {
    hint: 'Add one with another name: relt catalog add NAME --repo URL',
  })
}
