import { sql, type Transaction } from 'kysely'

const statements = [
  sql`alter table project add column complete_since text`,
  sql`alter table project add column history_basis text`,
  sql`alter table project add column advisories_as_of text`,
  sql`alter table project_chart add column complete_since text`,
  // Lists of a project's releases are short enough to sort, and the unique index finds them.
  sql`drop index release_by_project`,
  sql`create table catalog_advisory (
    project_id integer not null references project on delete cascade,
    source text not null,
    id text not null,
    aliases text not null,
    severity text,
    score real,
    published_at integer,
    is_record_date integer not null,
    modified_at integer,
    withdrawn_at integer,
    summary text not null,
    databases text not null,
    primary key (project_id, source, id)
  ) without rowid`,
  sql`create table affected_range (
    project_id integer not null references project on delete cascade,
    source text not null,
    advisory_id text not null,
    position integer not null,
    introduced text not null,
    fixed text,
    last_affected text,
    primary key (project_id, source, advisory_id, position)
  ) without rowid`,
]

/** How deep histories of releases are, and which versions advisories affect. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}
