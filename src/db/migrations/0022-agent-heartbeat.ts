import { sql, type Transaction } from 'kysely'

/** Heartbeats of agents, and events such as a cluster from which no report comes. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  const create = [
    sql`create table agent (
      id integer primary key,
      owner_id integer not null references owner (id) on delete cascade,
      agent_id text not null,
      host text not null,
      version text not null,
      uploads_waiting integer not null,
      first_seen_at integer not null,
      last_seen_at integer not null,
      jobs text not null,
      unique (owner_id, agent_id)
    )`,
    sql`create table agent_cluster (
      agent integer not null references agent (id) on delete cascade,
      cluster_name text not null,
      environment text not null,
      expected_every integer not null,
      since integer not null,
      primary key (agent, cluster_name, environment)
    ) without rowid`,
    sql`create table event (
      id integer primary key,
      owner_id integer not null references owner (id) on delete cascade,
      kind text not null,
      key text not null,
      opened_at integer not null,
      ended_at integer,
      data text not null
    )`,
    sql`create unique index event_open on event (owner_id, kind, key) where ended_at is null`,
    sql`create index event_by_end on event (ended_at)`,
  ]
  for (const statement of create) await statement.execute(trx)
}
