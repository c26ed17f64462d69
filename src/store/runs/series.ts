import { sql } from 'kysely'
import type { ReportFormat } from '../../contract/scan-finding.ts'
import type { Db } from '../../db/open.ts'
import type { Subject } from '../../reports/ledger.ts'
import type { UnixSeconds } from '../../util/time.ts'

/**
 * The series of runs about these subjects (keyed hashes); adds it if missing. Series that turn out to be one become one,
 * the oldest. Call it with the cluster's runs locked.
 */
export async function joinSeries(
  trx: Db,
  about: { clusterId: number; format: ReportFormat; kind: Subject['kind'] },
  subjects: Uint8Array[],
): Promise<number> {
  const { clusterId } = about
  const known = await trx
    .selectFrom('series_subject')
    .select('series_id')
    .distinct()
    .where('cluster_id', '=', clusterId)
    .where('subject', 'in', subjects)
    .orderBy('series_id')
    .execute()
  const [first, ...others] = known.map(({ series_id }) => series_id)
  const id = first ?? (await insertSeries(trx, about))
  for (const other of others) await mergeSeries(trx, other, id)
  await trx
    .insertInto('series_subject')
    .values(subjects.map((subject) => ({ cluster_id: clusterId, subject, series_id: id })))
    .onConflict((conflict) => conflict.columns(['cluster_id', 'subject']).doNothing())
    .execute()
  return id
}

async function insertSeries(trx: Db, { clusterId, ...about }: Parameters<typeof joinSeries>[1]): Promise<number> {
  const row = { cluster_id: clusterId, ...about }
  const { id } = await trx.insertInto('series').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

async function mergeSeries(trx: Db, from: number, into: number): Promise<void> {
  for (const table of ['run', 'series_subject', 'gate_baseline'] as const) {
    await trx.updateTable(table).set({ series_id: into }).where('series_id', '=', from).execute()
  }
  await trx.deleteFrom('series').where('id', '=', from).execute()
}

export async function getKind(db: Db, seriesId: number): Promise<Subject['kind']> {
  const ofSeries = db.selectFrom('series').select('kind').where('id', '=', seriesId)
  return (await ofSeries.executeTakeFirstOrThrow()).kind
}

/** Ends a series, or begins it again with null. `made_by`: see the table. */
export async function setEnd(
  trx: Db,
  seriesId: number,
  ended_at: UnixSeconds | null,
  made_by: string | null = null,
): Promise<void> {
  await trx
    .updateTable('series')
    .set({ ended_at, made_by })
    .where('id', '=', seriesId)
    .where('ended_at', 'is distinct from', ended_at)
    .execute()
}

/** Ids of the series that these makers ended. */
export async function listMadeEnds(db: Db, makers: string[]): Promise<number[]> {
  const rows = await db.selectFrom('series').select('id').where('made_by', 'in', makers).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Moves the series of a cluster to another one, which has runs of its own: series of the same subject become one. */
export async function moveSeries(trx: Db, fromClusterId: number, intoClusterId: number): Promise<void> {
  const { rows } = await sql<{ from: number; into: number }>`
    select distinct own.series_id as "from", there.series_id as "into" from series_subject as own
    join series_subject as there on there.cluster_id = ${intoClusterId} and there.subject = own.subject
    where own.cluster_id = ${fromClusterId} order by 1, 2`.execute(trx)
  await trx
    .deleteFrom('series_subject')
    .where('cluster_id', '=', fromClusterId)
    .where('subject', 'in', trx.selectFrom('series_subject').select('subject').where('cluster_id', '=', intoClusterId))
    .execute()
  await trx.updateTable('series').set({ cluster_id: intoClusterId }).where('cluster_id', '=', fromClusterId).execute()
  await trx
    .updateTable('series_subject')
    .set({ cluster_id: intoClusterId })
    .where('cluster_id', '=', fromClusterId)
    .execute()
  const merged = new Map<number, number>()
  const current = (id: number): number => (merged.has(id) ? current(merged.get(id)!) : id)
  for (const { from, into } of rows) {
    const [one, other] = [current(from), current(into)]
    if (one === other) continue
    await mergeSeries(trx, one, other)
    merged.set(one, other)
  }
}
