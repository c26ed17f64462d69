import { sql, type Transaction } from 'kysely'

/** Addresses of feeds, known by the keyed hash of their secret part. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  await sql`create table feed (
    id integer primary key,
    public_id text not null unique,
    user_id integer not null references user (id) on delete cascade,
    owner_id integer not null references owner (id) on delete cascade,
    cluster_id integer references cluster (id) on delete cascade,
    kind text not null,
    token_hash blob not null unique,
    created_at integer not null,
    last_used_at integer
  )`.execute(trx)
  await sql`create index feed_by_user on feed (user_id)`.execute(trx)
  await sql`create index feed_by_owner on feed (owner_id)`.execute(trx)
  await sql`create index feed_by_cluster on feed (cluster_id)`.execute(trx)
}
