import type { Db } from '../../db/open.ts'
import type { ProjectAdvisory } from '../../security/advisory.ts'

/** Replaces the advisories that the project published before. */
export async function saveProjectAdvisories(trx: Db, projectId: number, advisories: ProjectAdvisory[]) {
  await trx.deleteFrom('project_advisory').where('project_id', '=', projectId).execute()
  for (const { aliases, fixedIn, ...advisory } of advisories) {
    await trx
      .insertInto('project_advisory')
      .values({
        project_id: projectId,
        ...advisory,
        aliases: JSON.stringify(aliases),
        fixed_in: JSON.stringify(fixedIn),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Sorted by id. */
export async function listProjectAdvisories(db: Db, projectId: number): Promise<ProjectAdvisory[]> {
  const rows = await db
    .selectFrom('project_advisory')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  return rows.map(({ id, aliases, fixed_in, severity, summary, url }) => ({
    id,
    aliases: JSON.parse(aliases),
    fixedIn: JSON.parse(fixed_in),
    severity,
    summary,
    url,
  }))
}
