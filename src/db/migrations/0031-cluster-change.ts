import { sql, type Transaction } from 'kysely'

/** Stores the changes in the latest run of each cluster. Summaries are deleted, so the next refresh makes both. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  await sql`create table cluster_change (
    cluster_id integer primary key references cluster_summary on delete cascade,
    new_records blob not null,
    regressed_records blob not null,
    incomparable_findings integer not null
  )`.execute(trx)
  await sql`delete from cluster_summary`.execute(trx)
}

export const postgres = `
create table cluster_change (
  cluster_id bigint primary key references cluster_summary on delete cascade,
  new_records bytea not null,
  regressed_records bytea not null,
  incomparable_findings bigint not null
);
alter table cluster_change alter column new_records set storage external;
alter table cluster_change alter column regressed_records set storage external;
delete from cluster_summary;
`
