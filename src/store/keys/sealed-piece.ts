import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Sealed } from '../../util/seal.ts'

/** Tables with one sealed piece per row: its kind, and the column that its seal is bound to. */
const single = {
  cluster_config: { kind: 'config', owner: 'config_id' },
  exception: { kind: 'exception', owner: 'exception_id' },
  ownership: { kind: 'ownership', owner: 'public_id' },
  gate_policy: { kind: 'gate_policy', owner: 'public_id' },
  webhook: { kind: 'webhook', owner: 'user_id' },
  signing_secret: { kind: 'signing_secret', owner: 'user_id' },
} as const

type SingleTable = keyof typeof single

const singleTables = Object.keys(single) as SingleTable[]

/** Location of a sealed piece: a part of a run, or the only piece of a row. */
export interface PiecePlace {
  table: 'run_part' | SingleTable
  /** Id of the row with the piece. */
  row: number
  kind: string
  part: number
}

export interface StoredPiece extends PiecePlace {
  /** The public id that the seal is bound to. */
  owner: string
  keyId: string
  sealed: Sealed
}

/** The id that webhooks of an account and its subscriptions are sealed with. */
export const webhookSealOwner = (userId: number) => `user/${userId}`

/** Locations of all sealed pieces, without their content; of some keys, or of all. */
export async function listPlaces(db: Db, keyIds?: string[]) {
  const ofKey = keyIds ? sql`key_id in (${sql.join(keyIds)})` : sql`true`
  const selects = [
    sql`select 'run_part' as "table", run_id as row, kind, part from run_part where ${ofKey}`,
    ...singleTables.map(
      (table) =>
        sql`select ${sql.lit(table)}, id, ${sql.lit(single[table].kind)}, 0 from ${sql.table(table)} where ${ofKey}`,
    ),
  ]
  return (await sql<PiecePlace>`${sql.join(selects, sql` union all `)}`.execute(db)).rows
}

/** Undefined if it was deleted in the meantime. */
export async function findPiece(db: Db, place: PiecePlace): Promise<StoredPiece | undefined> {
  const { table, row, kind, part } = place
  const select =
    table === 'run_part'
      ? sql<StoredRow>`
        select run.run_id as owner, key_id as "keyId", sealed from run_part join run on run.id = run_part.run_id
        where run_part.run_id = ${row} and kind = ${kind} and part = ${part}`
      : sql<StoredRow>`
        select ${sql.ref(single[table].owner)} as owner, key_id as "keyId", sealed from ${sql.table(table)}
        where id = ${row}`
  const [found] = (await select.execute(db)).rows
  if (!found) return undefined
  const { owner } = found
  return { ...place, ...found, owner: typeof owner === 'number' ? webhookSealOwner(owner) : owner }
}

interface StoredRow {
  /** A public id, or the row id of an account. */
  owner: string | number
  keyId: string
  sealed: Sealed
}

/** Replaces a piece, unless it changed in the meantime. */
export async function replacePiece(
  trx: Db,
  { table, row, kind, part }: PiecePlace,
  old: Pick<StoredPiece, 'keyId' | 'sealed'>,
  { keyId, sealed }: Pick<StoredPiece, 'keyId' | 'sealed'>,
) {
  const place = table === 'run_part' ? sql`run_id = ${row} and kind = ${kind} and part = ${part}` : sql`id = ${row}`
  await sql`update ${sql.table(table)} set key_id = ${keyId}, sealed = ${sealed}
    where ${place} and key_id = ${old.keyId}`.execute(trx)
}

/** Key id → number of pieces sealed with it. */
export async function countPieces(db: Db) {
  const counts = ['run_part', ...singleTables].map(
    (table) => sql`select key_id, count(*) as count from ${sql.table(table)} group by key_id`,
  )
  const { rows } = await sql<{ key_id: string; count: number }>`
    select key_id, sum(count) as count from (${sql.join(counts, sql` union all `)}) as kept group by key_id`.execute(db)
  return new Map(rows.map(({ key_id, count }) => [key_id, count]))
}
