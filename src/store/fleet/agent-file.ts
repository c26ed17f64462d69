import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'

export async function findFileOutcome(db: Db, job: string, contentHash: string) {
  const row = await db
    .selectFrom('agent_file')
    .select('outcome')
    .where('job', '=', job)
    .where('content_hash', '=', contentHash)
    .executeTakeFirst()
  return row?.outcome
}

/** False if the content was already recorded. */
export async function addFile(trx: Db, file: Tables['agent_file']) {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('agent_file')
    .values(file)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
