import { sql } from 'kysely'
import { integers } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { upsert } from '../../db/upsert.ts'

/** Findings of a run that its previous run did not have, as records. */
export interface RunChanges {
  new: Buffer
  regressed: Buffer
  incomparable: number
}

/** The stored changes of these runs by row id, if their scanner summary compares them with an earlier run. */
export async function findRunChanges(db: Db, runRowIds: readonly number[]): Promise<Map<number, RunChanges>> {
  const rows = await db
    .selectFrom('scanner_summary as summary')
    .innerJoin('scanner_change as change', (join) =>
      join.onRef('change.cluster_id', '=', 'summary.cluster_id').onRef('change.series_id', '=', 'summary.series_id'),
    )
    .select(['summary.run_id', 'change.new_records', 'change.regressed_records', 'change.incomparable_findings'])
    .where(sql<boolean>`summary.run_id in ${integers(runRowIds)}`)
    .execute()
  return new Map(
    rows.map(({ run_id, new_records, regressed_records, incomparable_findings: incomparable }) => [
      run_id,
      { new: toView(new_records), regressed: toView(regressed_records), incomparable },
    ]),
  )
}

/** A view without copying. */
const toView = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

/** Replaces earlier changes; the series must have a summary. */
export async function saveRunChanges(
  trx: Db,
  key: { cluster_id: number; series_id: number },
  changes: RunChanges,
): Promise<void> {
  const values = {
    new_records: changes.new,
    regressed_records: changes.regressed,
    incomparable_findings: changes.incomparable,
  }
  await upsert(trx, 'scanner_change', key, values)
}
