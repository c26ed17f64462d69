import { sql, type Transaction } from 'kysely'

const statements = [
  sql`alter table run add column format text not null default 'kubebuddy'`,
  sql`alter table run add column score_source text`,
  sql`update run set score_source = 'scanner' where score is not null`,
]

export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}
