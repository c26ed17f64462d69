import { type RawBuilder, sql } from 'kysely'
import { hasTable } from '../../db/has-table.ts'
import type { Db } from '../../db/open.ts'
import type { Sealed } from '../../util/seal.ts'
import { type FormerWebhookPlace, findFormerWebhook, listFormerWebhooks } from './former-webhook.ts'
import { webhookSealOwner } from './seal-owner.ts'

/** Location of a sealed piece: a part of a run, a profile, an exception, an accepted scope, a webhook, or a secret that signs webhooks. */
export interface PiecePlace {
  table: 'run_part' | 'cluster_config' | PublicTable | 'webhook' | 'signing_secret' | FormerWebhookPlace['table']
  /** Row id of what is sealed; of the owner of a former webhook. */
  row: number
  kind: string
  part: number
}

/** Tables whose rows have a public id and one sealed piece: by table, the column of that id. */
const publicIds = { exception: 'exception_id', accepted_scope: 'scope_id' } as const
type PublicTable = keyof typeof publicIds

const isPublic = (table: PiecePlace['table']): table is PublicTable => table in publicIds

export interface StoredPiece extends PiecePlace {
  /** The public id that its seal is bound to. */
  owner: string
  keyId: string
  sealed: Sealed
}

/** The places of all sealed pieces, without their bytes; of one key, or of all. The store may be an older one that is only read. */
export async function listPlaces(db: Db, keyIds?: string[]): Promise<PiecePlace[]> {
  const ofKey = keyIds ? sql`key_id in (${sql.join(keyIds)})` : sql`true`
  const { rows } = await sql<PiecePlace>`
    select 'run_part' as "table", run_id as row, kind, part from run_part where ${ofKey}
    union all select 'cluster_config', id, 'config', 0 from cluster_config where ${ofKey}`.execute(db)
  return [
    ...rows,
    ...(await listPublicPlaces(db, 'exception', ofKey)),
    ...(await listPublicPlaces(db, 'accepted_scope', ofKey)),
    ...(await listWebhookPlaces(db, ofKey)),
    ...(await listSecretPlaces(db, ofKey)),
  ]
}

async function listPublicPlaces(db: Db, table: PublicTable, ofKey: RawBuilder<unknown>): Promise<PiecePlace[]> {
  if (!(await hasTable(db, table))) return []
  const { rows } = await sql<{ row: number }>`select id as row from ${sql.table(table)} where ${ofKey}`.execute(db)
  return rows.map(({ row }) => ({ table, row, kind: table, part: 0 }))
}

async function listWebhookPlaces(db: Db, ofKey: RawBuilder<unknown>): Promise<PiecePlace[]> {
  if (!(await hasTable(db, 'webhook'))) return listFormerWebhooks(db)
  const { rows } = await sql<PiecePlace>`
    select 'webhook' as "table", id as row, 'webhook' as kind, 0 as part from webhook
    where key_id <> '' and ${ofKey}`.execute(db)
  return rows
}

async function listSecretPlaces(db: Db, ofKey: RawBuilder<unknown>): Promise<PiecePlace[]> {
  if (!(await hasTable(db, 'signing_secret'))) return []
  const { rows } = await sql<PiecePlace>`
    select 'signing_secret' as "table", id as row, 'signing_secret' as kind, 0 as part from signing_secret
    where ${ofKey}`.execute(db)
  return rows
}

/** Undefined when it has gone meanwhile. */
export async function findPiece(db: Db, place: PiecePlace): Promise<StoredPiece | undefined> {
  const { table, row, kind, part } = place
  if (table === 'run_part') {
    const found = await sql<{ owner: string; keyId: string; sealed: Sealed }>`
      select run.run_id as owner, key_id as "keyId", sealed from run_part join run on run.id = run_part.run_id
      where run_part.run_id = ${row} and kind = ${kind} and part = ${part}`.execute(db)
    return found.rows[0] && { ...place, ...found.rows[0] }
  }
  if (table === 'cluster_config') {
    const found = await sql<{ owner: string; keyId: string; sealed: Sealed }>`
      select config_id as owner, key_id as "keyId", sealed from cluster_config where id = ${row}`.execute(db)
    return found.rows[0] && { ...place, ...found.rows[0] }
  }
  if (isPublic(table)) {
    const found = await sql<{ owner: string; keyId: string; sealed: Sealed }>`
      select ${sql.ref(publicIds[table])} as owner, key_id as "keyId", sealed from ${sql.table(table)}
      where id = ${row}`.execute(db)
    return found.rows[0] && { ...place, ...found.rows[0] }
  }
  if (table === 'signing_secret') {
    const found = await findOfUser(db, table, row)
    return found && { ...place, ...found, owner: webhookSealOwner(found.userId) }
  }
  const found =
    table === 'webhook' ? await findOfUser(db, table, row) : await findFormerWebhook(db, { ...place, table })
  if (!found) return undefined
  const { userId, keyId, sealed } = found
  return { ...place, kind: 'webhook', owner: webhookSealOwner(userId), keyId, sealed }
}

async function findOfUser(db: Db, table: 'webhook' | 'signing_secret', id: number) {
  const { rows } = await sql<{ userId: number; keyId: string; sealed: Sealed }>`
    select user_id as "userId", key_id as "keyId", sealed from ${sql.table(table)} where id = ${id}`.execute(db)
  return rows[0]
}

/** Replaces a piece that is still as it was. */
export async function replacePiece(
  trx: Db,
  { table, row, kind, part }: PiecePlace,
  old: Pick<StoredPiece, 'keyId' | 'sealed'>,
  { keyId, sealed }: Pick<StoredPiece, 'keyId' | 'sealed'>,
): Promise<void> {
  if (table === 'run_part') {
    await sql`update run_part set key_id = ${keyId}, sealed = ${sealed}
      where run_id = ${row} and kind = ${kind} and part = ${part} and key_id = ${old.keyId}`.execute(trx)
  } else if (table === 'cluster_config') {
    await sql`update cluster_config set key_id = ${keyId}, sealed = ${sealed}
      where id = ${row} and key_id = ${old.keyId}`.execute(trx)
  } else if (isPublic(table)) {
    await sql`update ${sql.table(table)} set key_id = ${keyId}, sealed = ${sealed}
      where id = ${row} and key_id = ${old.keyId}`.execute(trx)
  } else if (table === 'signing_secret') {
    await sql`update signing_secret set key_id = ${keyId}, sealed = ${sealed}
      where id = ${row} and key_id = ${old.keyId}`.execute(trx)
  } else {
    await sql`update webhook set key_id = ${keyId}, sealed = ${sealed}
      where id = ${row} and key_id = ${old.keyId}`.execute(trx)
  }
}
