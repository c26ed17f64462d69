import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

/** Location of a sealed piece: a part of a run, a profile, or a webhook of an account or a subscription. */
export interface PiecePlace {
  table: 'run_part' | 'cluster_config' | 'user' | 'subscription'
  /** Row id of the run, the profile, the account or the subscription. */
  row: number
  kind: string
  part: number
}

export interface StoredPiece extends PiecePlace {
  /** The public id that its seal is bound to. */
  owner: string
  keyId: string
  sealed: Uint8Array
}

const mark = 'sealed:'
const webhooks = ['slack_webhook', 'teams_webhook', 'generic_webhook'] as const

/** The places of all sealed pieces, without their bytes; of one key, or of all. */
export async function listPlaces(db: Db, keyIds?: string[]): Promise<PiecePlace[]> {
  const ofKey = keyIds ? sql`key_id in (${sql.join(keyIds)})` : sql`true`
  const { rows } = await sql<PiecePlace>`
    select 'run_part' as "table", run_id as row, kind, part from run_part where ${ofKey}
    union all select 'cluster_config', id, 'config', 0 from cluster_config where ${ofKey}
    ${sql.join([...webhookPlaces('user', keyIds), ...webhookPlaces('subscription', keyIds)], sql` `)}`.execute(db)
  return rows
}

function webhookPlaces(table: 'user' | 'subscription', keyIds: string[] | undefined) {
  return webhooks.map((column) => {
    const id = sql`substr(${sql.ref(column)}, ${mark.length + 1}, instr(substr(${sql.ref(column)}, ${mark.length + 1}), ':') - 1)`
    const ofKey = keyIds ? sql`and ${id} in (${sql.join(keyIds)})` : sql``
    return sql`union all select ${sql.lit(table)}, id, ${sql.lit(column)}, 0 from ${sql.table(table)}
      where ${sql.ref(column)} like ${`${mark}%`} ${ofKey}`
  })
}

/** Undefined when it has gone meanwhile. */
export async function findPiece(db: Db, place: PiecePlace): Promise<StoredPiece | undefined> {
  const { table, row, kind, part } = place
  if (table === 'run_part') {
    const found = await sql<{ owner: string; keyId: string; sealed: Uint8Array }>`
      select run.run_id as owner, key_id as keyId, sealed from run_part join run on run.id = run_part.run_id
      where run_part.run_id = ${row} and kind = ${kind} and part = ${part}`.execute(db)
    return found.rows[0] && { ...place, ...found.rows[0] }
  }
  if (table === 'cluster_config') {
    const found = await sql<{ owner: string; keyId: string; sealed: Uint8Array }>`
      select config_id as owner, key_id as keyId, sealed from cluster_config where id = ${row}`.execute(db)
    return found.rows[0] && { ...place, ...found.rows[0] }
  }
  const owner = table === 'user' ? sql`id` : sql`user_id`
  const found = await sql<{ owner: number; webhook: string | null }>`
    select ${owner} as owner, ${sql.ref(kind)} as webhook from ${sql.table(table)} where id = ${row}`.execute(db)
  const [first] = found.rows
  if (!first?.webhook?.startsWith(mark)) return undefined
  const [keyId = '', sealed = ''] = first.webhook.slice(mark.length).split(':')
  return { ...place, kind: 'webhook', owner: `user/${first.owner}`, keyId, sealed: Buffer.from(sealed, 'base64') }
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
  } else {
    await sql`update ${sql.table(table)} set ${sql.ref(kind)} = ${asText({ keyId, sealed })}
      where id = ${row} and ${sql.ref(kind)} = ${asText(old)}`.execute(trx)
  }
}

const asText = ({ keyId, sealed }: Pick<StoredPiece, 'keyId' | 'sealed'>): string =>
  `${mark}${keyId}:${Buffer.from(sealed).toString('base64')}`
