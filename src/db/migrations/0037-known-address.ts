import { sql, type Transaction } from 'kysely'

/** Addresses from which an account signed in with its password, as keyed hashes: tries of others do not slow them. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  await sql`create table known_address (
    user_id integer not null references user (id) on delete cascade,
    address_hash blob not null,
    used_at integer not null,
    primary key (user_id, address_hash)
  ) without rowid`.execute(trx)
}

export const postgres = `
create table known_address (
  user_id bigint not null references "user" (id) on delete cascade,
  address_hash bytea not null,
  used_at bigint not null,
  primary key (user_id, address_hash)
);
delete from token_bucket where starts_with(name, 'known ');
`
