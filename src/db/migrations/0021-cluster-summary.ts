import { sql, type Transaction } from 'kysely'

const statements = [
  sql`alter table cluster add column public_id text`,
  sql`update cluster set public_id = 'clus_' || lower(hex(randomblob(8)))`,
  sql`create unique index cluster_by_public_id on cluster (public_id)`,
  sql`create trigger cluster_public_id after insert on cluster when new.public_id is null begin
    update cluster set public_id = 'clus_' || lower(hex(randomblob(8))) where id = new.id; end`,
  sql`alter table cluster add column labels text not null default '[]'`,
  sql`alter table cluster add column expected_every integer`,
  sql`alter table run add column gate_verdict text`,
  sql`alter table run add column gate_at integer`,
  sql`create table cluster_summary (
    cluster_id integer primary key references cluster on delete cascade,
    run_id integer not null,
    from_run_id integer,
    score_delta real,
    new_findings integer,
    new_critical integer,
    new_high integer,
    regressed_findings integer,
    regressed_critical integer,
    regressed_high integer,
    resolved_findings integer,
    inventory_run_id integer,
    catalog_revision text not null,
    valid_until integer not null,
    artifacts integer not null,
    known integer not null,
    minor_behind integer not null,
    major_behind integer not null,
    affected integer not null,
    affected_critical integer not null,
    affected_high integer not null,
    ended integer not null,
    ending integer not null
  )`,
  // Any change in the line of runs can change what is new in the latest one.
  ...['after insert on run', 'after update of cluster_id, at, identity_version on run'].map((event, index) =>
    sql.raw(`create trigger cluster_summary_run_${index} ${event} begin
      delete from cluster_summary where cluster_id = new.cluster_id; end`),
  ),
  ...['after delete on run', 'after update of cluster_id on run'].map((event, index) =>
    sql.raw(`create trigger cluster_summary_old_run_${index} ${event} begin
      delete from cluster_summary where cluster_id = old.cluster_id; end`),
  ),
]

/** Figures of a cluster, so that lists open no run; removed when a run or the catalog changes them. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}
