import { sql } from 'kysely'
import { integers } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { UnixSeconds } from '../../util/time.ts'

/** New findings of a run, as records. */
export interface RunChanges {
  new: Buffer
  regressed: Buffer
  incomparable: number
}

/** The stored changes of these runs by row id; with `since`, only those since this time. */
export async function findRunChanges(
  db: Db,
  runRowIds: readonly number[],
  since?: UnixSeconds,
): Promise<Map<number, RunChanges>> {
  let query = db
    .selectFrom('scanner_summary as summary')
    .innerJoin('cluster_summary as cluster', 'cluster.cluster_id', 'summary.cluster_id')
    .innerJoin('scanner_change as change', (join) =>
      join.onRef('change.cluster_id', '=', 'summary.cluster_id').onRef('change.series_id', '=', 'summary.series_id'),
    )
    .select(['summary.run_id', 'change.new_records', 'change.regressed_records', 'change.incomparable_findings'])
    .where(sql<boolean>`summary.run_id in ${integers(runRowIds)}`)
  if (since !== undefined) query = query.where('cluster.since', '=', since)
  const rows = await query.execute()
  return new Map(
    rows.map(({ run_id, new_records, regressed_records, incomparable_findings: incomparable }) => [
      run_id,
      { new: toView(new_records), regressed: toView(regressed_records), incomparable },
    ]),
  )
}

/** A view without copying. */
const toView = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

/** Replaces earlier changes, null removes them; the series must have a summary. */
export async function saveRunChanges(
  trx: Db,
  key: { cluster_id: number; series_id: number },
  changes: RunChanges | null,
): Promise<void> {
  const { cluster_id, series_id } = key
  await trx
    .deleteFrom('scanner_change')
    .where('cluster_id', '=', cluster_id)
    .where('series_id', '=', series_id)
    .execute()
  if (!changes) return
  const { new: new_records, regressed: regressed_records, incomparable: incomparable_findings } = changes
  const row = { ...key, new_records, regressed_records, incomparable_findings }
  await trx.insertInto('scanner_change').values(row).execute()
}
