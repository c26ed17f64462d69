import { sql, type Transaction } from 'kysely'

const statements = [
  sql`create table source (
    project_id integer not null references project on delete cascade,
    kind text not null,
    url text not null,
    etag text,
    last_modified text,
    cursor text,
    outcome text not null,
    reason text,
    retry_at integer,
    looked_at integer not null,
    answered_at integer,
    changed_at integer,
    primary key (project_id, kind)
  ) without rowid`,
  sql`alter table project add column secret_hosts text`,
]

/** The sources of each project, and the outcome of the last sync. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}
