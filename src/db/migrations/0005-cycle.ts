import { sql, type Transaction } from 'kysely'

const statements = [
  sql`create table cycle (
    project_id integer not null references project on delete cascade,
    cycle text not null,
    eol text not null,
    lts text not null,
    primary key (project_id, cycle)
  ) without rowid`,
  sql`alter table project add column eol_product text`,
]

/** Fetched release cycles, and what endoflife.date calls a project of one's own. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}
