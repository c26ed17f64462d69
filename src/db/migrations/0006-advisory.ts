import { sql, type Transaction } from 'kysely'

const statements = [
  sql`create table project_advisory (
    project_id integer not null references project on delete cascade,
    id text not null,
    aliases text not null,
    fixed_in text not null,
    severity text not null,
    summary text not null,
    url text not null,
    primary key (project_id, id)
  ) without rowid`,
  sql`create table advisory (
    id text primary key,
    is_found integer not null,
    aliases text not null,
    severity text not null,
    summary text not null,
    looked_at integer not null
  ) without rowid`,
  sql`create index advisory_by_time on advisory (looked_at)`,
]

/** Advisories of projects, and the answers of databases about ids in release notes. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}
