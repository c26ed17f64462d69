import { sql, type Transaction } from 'kysely'

const statements = [
  sql`create table event_log (
    id integer primary key autoincrement,
    type text not null,
    at integer not null,
    owner_id integer references owner on delete cascade,
    project_id integer references project on delete cascade,
    cluster_id integer references cluster on delete cascade,
    key text unique,
    data text not null
  )`,
  sql`create index event_log_by_time on event_log (at)`,
  sql`create index event_log_by_owner on event_log (owner_id)`,
  sql`create index event_log_by_project on event_log (project_id)`,
  sql`create index event_log_by_cluster on event_log (cluster_id)`,

  sql`create table delivery_target (
    id integer primary key,
    user_id integer not null references user on delete cascade,
    channel text not null,
    subscription_id integer references subscription on delete cascade,
    next_at integer,
    lease text,
    failing_since integer,
    off_at integer,
    off_reason text
  )`,
  sql`create unique index delivery_target_by_place on delivery_target (user_id, channel, coalesce(subscription_id, 0))`,
  sql`create index delivery_target_by_subscription on delivery_target (subscription_id)`,
  sql`create index delivery_target_due on delivery_target (next_at) where next_at is not null`,

  sql`create table delivery_host (
    host text primary key,
    failures integer not null,
    open_until integer not null
  ) without rowid`,

  sql`alter table delivery add column public_id text`,
  sql`alter table delivery add column target_id integer references delivery_target on delete set null`,
  sql`alter table delivery add column event_ids text`,
  sql`alter table delivery add column digest text`,
  sql`alter table delivery add column not_before integer`,
  sql`alter table delivery add column finished_at integer`,
  sql`update delivery set public_id = 'msg_' || lower(hex(randomblob(12)))`,
  sql`create unique index delivery_by_public_id on delivery (public_id)`,
  sql`create index delivery_waiting on delivery (target_id, not_before) where not_before is not null`,
  sql`create index delivery_by_time on delivery (created_at)`,
  sql`create index delivery_mail on delivery (user_id, project_id, not_before) where channel = 'email' and status = 'pending'`,
  // Rows of earlier releases have no target yet: they get one when delivery is first set up.
  sql`create index delivery_without_target on delivery (id) where target_id is null and status = 'pending'`,
]

/** The event log, and the outbox: rows of `delivery` with a time from which they are due, by the target they wait for. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}
