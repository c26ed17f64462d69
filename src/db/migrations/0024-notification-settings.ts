import { sql, type Transaction } from 'kysely'

const statements = [
  sql`alter table user add column time_zone text not null default 'UTC'`,
  sql`alter table user add column digest_hour integer not null default 8`,
  sql`alter table user add column digest_weekday text not null default 'monday'`,
  sql`alter table user add column quiet_hours text not null default ''`,
  sql`alter table user add column quiet_hours_except text not null default 'none'`,
  sql`alter table user add column min_severity text not null default 'none'`,
  sql`alter table user add column only_what_runs integer not null default 0`,
  sql`alter table user add column cluster_events text not null default ''`,
  sql`alter table user add column cluster_scope text not null default ''`,
  sql`create table digest_schedule (
    user_id integer not null references user on delete cascade,
    period text not null,
    rule text not null,
    next_at integer not null,
    since integer not null,
    last_event integer not null,
    primary key (user_id, period)
  ) without rowid`,
  sql`create index digest_schedule_due on digest_schedule (next_at)`,
]

/** Notification settings of an account, and when its digests are due. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}
