import { sql } from 'kysely'
import type { OwnProject } from '../../contract/catalog.ts'
import { jsonGroup } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { ProjectOrigin } from '../../db/schema/catalog.ts'

/** Origins of added and imported projects, which users may edit and remove. */
export const ownOrigins = ['user', 'import'] as const
export type OwnOrigin = (typeof ownOrigins)[number]

/** Returns the id of the project. */
export async function insertOwnProject(
  trx: Db,
  project: OwnProject & { slug: string; origin: OwnOrigin },
  now: number,
) {
  const { slug, origin } = project
  const { id } = await trx
    .insertInto('project')
    .values({ ...toColumns(project), slug, origin, logo_url: '', updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await replaceNames(trx, id, project)
  return id
}

/** `isMoved`: the operator set its addresses, whatever their previous origin. */
export async function updateOwnProject(
  trx: Db,
  id: number,
  { isMoved, ...project }: OwnProject & { isMoved: boolean },
  now: number,
) {
  await trx
    .updateTable('project')
    .set({ ...toColumns(project), updated_at: now, ...(isMoved && { has_synced_address: 0 }) })
    .where('id', '=', id)
    .execute()
  await replaceNames(trx, id, project)
}

/** Deletes a project with its releases and subscriptions. */
export async function deleteProject(trx: Db, id: number) {
  await trx.deleteFrom('project').where('id', '=', id).execute()
}

/** `hosts` may receive the project's secret from the keychain. */
export async function setSecretHosts(db: Db, id: number, hosts: string[]) {
  await db
    .updateTable('project')
    .set({ secret_hosts: hosts.length > 0 ? JSON.stringify(hosts) : null })
    .where('id', '=', id)
    .execute()
}

export interface CatalogProject extends OwnProject {
  id: number
  slug: string
  origin: ProjectOrigin
}

/** Sorted by slug. */
export async function listCatalogProjects(db: Db): Promise<CatalogProject[]> {
  const rows = await db
    .selectFrom('project')
    .select(['id', 'slug', 'origin', ...columns])
    .select([
      sql<string>`(select ${jsonGroup(sql`repository`, sql`repository`)} from project_image where project_id = project.id)`.as(
        'images',
      ),
      sql<string>`(select ${jsonGroup(sql`name`, sql`name`)} from project_chart where project_id = project.id)`.as(
        'charts',
      ),
    ])
    .orderBy('slug')
    .execute()
  return rows.map(({ images, charts, ...row }) => ({
    ...row,
    image_repositories: JSON.parse(images),
    helm_chart_names: JSON.parse(charts),
  }))
}

const columns = [
  'name',
  'description',
  'category',
  'cncf_status',
  'homepage',
  'docs_url',
  'repo_url',
  'helm_chart_repo',
  'tag_pattern',
  'eol_product',
] as const

const toColumns = (project: OwnProject) =>
  Object.fromEntries(columns.map((column) => [column, project[column]])) as Pick<OwnProject, (typeof columns)[number]>

async function replaceNames(trx: Db, id: number, { image_repositories, helm_chart_names }: OwnProject) {
  await trx.deleteFrom('project_image').where('project_id', '=', id).execute()
  await trx.deleteFrom('project_chart').where('project_id', '=', id).execute()
  for (const repository of new Set(image_repositories)) {
    const name = repository.split('/').at(-1)!
    await trx.insertInto('project_image').values({ repository, name, project_id: id }).execute()
  }
  for (const name of new Set(helm_chart_names)) {
    await trx.insertInto('project_chart').values({ name, project_id: id }).execute()
  }
}
