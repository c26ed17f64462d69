import { sql, type Transaction } from 'kysely'

const statements = [
  sql`create table state_fact (
    source text not null,
    kind text not null,
    facts text not null,
    as_of text,
    answered_at integer,
    state text not null,
    primary key (source, kind)
  ) without rowid`,
  ...['insert on', 'update of facts on', 'delete on'].map((event) =>
    sql.raw(`create trigger catalog_revision_state_fact_${event.split(' ')[0]} after ${event} state_fact
      when exists (select 1 from catalog_revision) begin delete from catalog_revision; end`),
  ),
  sql`alter table project add column advisories_since text`,
  sql`alter table release add column fault text`,
  ...['compromised', 'exploited', 'retired'].map((name) =>
    sql.raw(`alter table cluster_summary add column ${name} integer not null default 0`),
  ),
  sql`delete from cluster_summary`,
]

/**
 * Facts about what is retired, withdrawn, moved or exploited that are not bundled. Releases that nobody should take are
 * marked. Summaries of clusters are deleted, so the next refresh counts what is compromised, exploited and retired.
 */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}

export const postgres = `
create table state_fact (
  source text collate "C" not null,
  kind text collate "C" not null,
  facts text collate "C" not null,
  as_of text collate "C",
  answered_at bigint,
  state text collate "C" not null,
  primary key (source, kind)
);
create function end_revision_of_state_fact() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' or old.facts <> new.facts then
    delete from catalog_revision;
  end if;
  return null;
end $$;
create trigger catalog_revision_state_fact after insert or update or delete on state_fact
  for each row execute function end_revision_of_state_fact();
alter table project add column advisories_since text collate "C";
alter table release add column fault text collate "C";
alter table cluster_summary add column compromised bigint not null default 0;
alter table cluster_summary add column exploited bigint not null default 0;
alter table cluster_summary add column retired bigint not null default 0;
delete from cluster_summary;
`
