import { sql, type Transaction } from 'kysely'

/** Stores earlier fingerprints of findings. Summaries hold records of the layout before, so the next refresh makes them again. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  await sql`create table earlier_finding (
    cluster_id integer not null references cluster on delete cascade,
    earlier blob not null,
    fingerprint blob not null,
    primary key (cluster_id, earlier)
  ) without rowid`.execute(trx)
  await sql`delete from cluster_summary`.execute(trx)
}

export const postgres = `
create table earlier_finding (
  cluster_id bigint not null references cluster on delete cascade,
  earlier bytea not null,
  fingerprint bytea not null,
  primary key (cluster_id, earlier)
);
delete from cluster_summary;
`
