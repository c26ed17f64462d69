import { sql, type Transaction } from 'kysely'

/** Tables that assessments of a run rest on. */
const tables = [
  ...['project', 'project_image', 'project_chart', 'release', 'cycle'],
  ...['project_advisory', 'catalog_advisory', 'affected_range'],
]

/** Sources tell on which day they answered last. */
const otherDay =
  "(date(old.answered_at, 'unixepoch') is not date(new.answered_at, 'unixepoch') or old.kind <> new.kind)"

const changes: [name: string, event: string, condition?: string][] = [
  ...tables.flatMap((table) =>
    ['insert', 'update', 'delete'].map((event): [string, string] => [`${table}_${event}`, `${event} on ${table}`]),
  ),
  ['source_insert', 'insert on source', 'new.answered_at is not null'],
  ['source_update', 'update on source', otherDay],
  ['source_delete', 'delete on source', 'old.answered_at is not null'],
  ['meta_insert', 'insert on meta', "new.key like 'catalog\\_%' escape '\\'"],
  ['meta_update', 'update on meta', "new.key like 'catalog\\_%' escape '\\'"],
]

/** The catalog has a revision until it changes: what rests on it is stored with its name. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  await sql`create table catalog_revision (id integer primary key check (id = 1), name text not null)`.execute(trx)
  for (const [name, event, condition = 'true'] of changes) {
    await sql
      .raw(
        `create trigger catalog_revision_${name} after ${event}
         when exists (select 1 from catalog_revision) and ${condition} begin delete from catalog_revision; end`,
      )
      .execute(trx)
  }
}
