import { sql } from 'kysely'
import { integers } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { Cycle } from '../../lifecycle/cycle.ts'

/** Replaces the known cycles of the project. */
export async function saveCycles(trx: Db, projectId: number, cycles: Cycle[]) {
  await trx.deleteFrom('cycle').where('project_id', '=', projectId).execute()
  if (cycles.length === 0) return
  const rows = cycles.map(({ cycle, eol, lts, latest }) => ({
    project_id: projectId,
    cycle,
    eol: String(eol),
    lts: String(lts),
    latest: latest ?? null,
  }))
  // If two cycles have the same name, the first counts.
  await trx
    .insertInto('cycle')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Also removes the state of their sources, so that the next sync fetches them again. */
export async function forgetCycles(trx: Db, projectId: number) {
  await trx.deleteFrom('cycle').where('project_id', '=', projectId).execute()
  await trx.deleteFrom('source').where('project_id', '=', projectId).where('kind', '=', 'eol').execute()
}

/** Cycles fetched from endoflife.date, by project. */
export async function findCycles(db: Db, projectIds: number[]) {
  const rows = await db
    .selectFrom('cycle')
    .selectAll()
    .where(sql<boolean>`project_id in ${integers(projectIds)}`)
    .execute()
  const cycles = rows.map(({ eol, lts, ...row }) => ({ ...row, eol: read(eol), lts: read(lts) }))
  const found = Map.groupBy(cycles, ({ project_id }) => project_id)
  return new Map([...found].map(([id, list]) => [id, list.map(({ project_id: _, ...cycle }) => cycle)]))
}

function read(text: string) {
  return text === 'true' || (text === 'false' ? false : text)
}
