import { sql, type Transaction } from 'kysely'

const changeColumns = [
  ...['run_id', 'from_run_id', 'score_delta', 'new_findings', 'new_critical', 'new_high', 'regressed_findings'],
  ...['regressed_critical', 'regressed_high', 'resolved_findings'],
]

const statements = [
  sql`delete from cluster_summary`,
  sql`drop table cluster_change`,
  ...changeColumns.map((column) => sql`alter table cluster_summary drop column ${sql.ref(column)}`),
  sql`create table scanner_summary (
    cluster_id integer not null references cluster_summary on delete cascade,
    format text not null,
    run_id integer not null,
    from_run_id integer,
    score_delta real,
    is_score_comparable integer,
    new_findings integer,
    new_critical integer,
    new_high integer,
    regressed_findings integer,
    regressed_critical integer,
    regressed_high integer,
    resolved_findings integer,
    primary key (cluster_id, format)
  )`,
  sql`create index scanner_summary_by_run on scanner_summary (run_id)`,
  sql`create table scanner_change (
    cluster_id integer not null,
    format text not null,
    new_records blob not null,
    regressed_records blob not null,
    incomparable_findings integer not null,
    primary key (cluster_id, format),
    foreign key (cluster_id, format) references scanner_summary (cluster_id, format) on delete cascade
  )`,
  sql`alter table run add column gaps_key text`,
]

/** Figures of each scanner of a cluster, so that a scan by one does not hide those of another. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}

export const postgres = `
delete from cluster_summary;
drop table cluster_change;
${changeColumns.map((column) => `alter table cluster_summary drop column ${column};`).join('\n')}
create table scanner_summary (
  cluster_id bigint not null references cluster_summary on delete cascade,
  format text collate "C" not null,
  run_id bigint not null,
  from_run_id bigint,
  score_delta double precision,
  is_score_comparable bigint,
  new_findings bigint,
  new_critical bigint,
  new_high bigint,
  regressed_findings bigint,
  regressed_critical bigint,
  regressed_high bigint,
  resolved_findings bigint,
  primary key (cluster_id, format)
);
create index scanner_summary_by_run on scanner_summary (run_id);
create table scanner_change (
  cluster_id bigint not null,
  format text collate "C" not null,
  new_records bytea not null,
  regressed_records bytea not null,
  incomparable_findings bigint not null,
  primary key (cluster_id, format),
  foreign key (cluster_id, format) references scanner_summary (cluster_id, format) on delete cascade
);
alter table scanner_change alter column new_records set storage external;
alter table scanner_change alter column regressed_records set storage external;
alter table run add column gaps_key text collate "C";
`
