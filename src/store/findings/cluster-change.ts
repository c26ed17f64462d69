import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { integers } from '../../db/words.ts'

/** Findings of a run that its previous run did not have, as records. */
export interface RunChanges {
  new: Buffer
  regressed: Buffer
  incomparable: number
}

/** Those of the runs, by row id, that a cluster's summary compares with an earlier run. */
export async function findRunChanges(db: Db, runRowIds: readonly number[]): Promise<Map<number, RunChanges>> {
  const rows = await db
    .selectFrom('cluster_summary as summary')
    .innerJoin('cluster_change as change', 'change.cluster_id', 'summary.cluster_id')
    .select(['summary.run_id', 'change.new_records', 'change.regressed_records', 'change.incomparable_findings'])
    .where(sql<boolean>`summary.run_id in ${integers(runRowIds)}`)
    .execute()
  return new Map(
    rows.map(({ run_id, new_records, regressed_records, incomparable_findings }) => [
      run_id,
      {
        new: viewOf(new_records),
        regressed: viewOf(regressed_records),
        incomparable: incomparable_findings,
      },
    ]),
  )
}

/** Without a copy. */
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

/** In place of earlier ones; the cluster has a summary. */
export async function saveRunChanges(trx: Db, clusterId: number, changes: RunChanges): Promise<void> {
  const values = {
    new_records: changes.new,
    regressed_records: changes.regressed,
    incomparable_findings: changes.incomparable,
  }
  await trx
    .insertInto('cluster_change')
    .values({ cluster_id: clusterId, ...values })
    .onConflict((conflict) => conflict.column('cluster_id').doUpdateSet(values))
    .execute()
}
