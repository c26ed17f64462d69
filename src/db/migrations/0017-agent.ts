import { sql, type Transaction } from 'kysely'

/** Jobs of the agent on this machine, what became of each occurrence, and the files of watched folders. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  const create = [
    sql`create table agent_job (
      name text primary key,
      schedule text not null,
      watermark integer not null,
      is_paused integer not null default 0
    ) without rowid`,
    sql`create table agent_occurrence (
      id integer primary key,
      job text not null,
      cause text not null,
      due_at integer not null,
      until_at integer not null,
      count integer,
      state text not null,
      attempts integer not null default 0,
      owner text,
      lease_until integer,
      started_at integer,
      finished_at integer,
      late_seconds integer not null default 0,
      run_id text,
      score real,
      verdict text,
      exit_code integer,
      detail text
    )`,
    sql`create unique index agent_occurrence_once on agent_occurrence (job, due_at) where cause = 'schedule'`,
    sql`create index agent_occurrence_open on agent_occurrence (job, due_at) where state in ('pending', 'running')`,
    sql`create index agent_occurrence_finished on agent_occurrence (finished_at)`,
    sql`create table agent_file (
      job text not null,
      content_hash text not null,
      name text not null,
      outcome text not null,
      at integer not null,
      primary key (job, content_hash)
    ) without rowid`,
  ]
  for (const statement of create) await statement.execute(trx)
}
