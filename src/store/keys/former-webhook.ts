import { sql } from 'kysely'
import { parseFormerWebhook } from '../../db/migrations/0013-webhook.ts'
import type { Db } from '../../db/open.ts'
import type { Sealed } from '../../util/seal.ts'

/** Webhooks of a store that is read as it is, and is older than the table of webhooks: in columns of their owners. */
export interface FormerWebhookPlace {
  table: 'user' | 'subscription'
  row: number
  kind: string
  part: number
}

const columns = ['slack_webhook', 'teams_webhook', 'generic_webhook']

export async function listFormerWebhooks(db: Db): Promise<FormerWebhookPlace[]> {
  const selects = (['user', 'subscription'] as const).flatMap((table) =>
    columns.map(
      (column) => sql`select ${sql.lit(table)} as "table", id as row, ${sql.lit(column)} as kind, 0 as part
        from ${sql.table(table)} where ${sql.ref(column)} like 'sealed:%'`,
    ),
  )
  const { rows } = await sql<FormerWebhookPlace>`${sql.join(selects, sql` union all `)}`.execute(db)
  return rows
}

export async function findFormerWebhook(
  db: Db,
  { table, row, kind: column }: FormerWebhookPlace,
): Promise<{ userId: number; keyId: string; sealed: Sealed } | undefined> {
  const userId = table === 'user' ? sql`id` : sql`user_id`
  const { rows } = await sql<{ userId: number; stored: string | null }>`
    select ${userId} as "userId", ${sql.ref(column)} as stored from ${sql.table(table)} where id = ${row}`.execute(db)
  const [first] = rows
  const piece = first?.stored && parseFormerWebhook(first.stored)
  return piece ? { userId: first.userId, keyId: piece.keyId, sealed: piece.sealed as Uint8Array as Sealed } : undefined
}
