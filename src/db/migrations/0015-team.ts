import { sql, type Transaction } from 'kysely'

const isRetired = `not exists (select 1 from data_key where id = new.key_id and purpose = 'seal' and retired_at is null)`
const refuse = (name: string, event: string) =>
  sql.raw(`create trigger ${name} before ${event} when ${isRetired} begin select raise(abort, 'retired data key'); end`)

const teams = [
  sql`create table team (
    id integer primary key,
    name text not null unique,
    created_at integer not null
  )`,
  sql`create table team_member (
    team_id integer not null references team (id) on delete cascade,
    user_id integer not null references user (id) on delete cascade,
    role text not null,
    is_default integer not null,
    primary key (team_id, user_id)
  ) without rowid`,
  sql`create index team_member_by_user on team_member (user_id)`,
  sql`create unique index team_member_default on team_member (user_id) where is_default = 1`,
  sql`create table owner (
    id integer primary key autoincrement,
    user_id integer unique references user (id) on delete cascade,
    team_id integer unique references team (id) on delete cascade,
    check ((user_id is null) <> (team_id is null))
  )`,
  sql`insert into owner (id, user_id) select id, id from user`,
  sql`create trigger user_owner after insert on user begin insert into owner (user_id) values (new.id); end`,
  sql`create trigger team_owner after insert on team begin insert into owner (team_id) values (new.id); end`,
]

// SQLite cannot change a foreign key, so the tables are made again. Foreign keys are off while migrations run.
const owned = [
  sql`create table cluster_new (
    id integer primary key,
    owner_id integer not null references owner (id) on delete cascade,
    name text not null,
    environment text not null,
    is_keyed integer not null default 0,
    unique (owner_id, name, environment)
  )`,
  sql`insert into cluster_new (id, owner_id, name, environment, is_keyed)
    select id, user_id, name, environment, is_keyed from cluster`,
  sql`drop table cluster`,
  sql`alter table cluster_new rename to cluster`,
  sql`create index cluster_not_keyed on cluster (id) where is_keyed = 0`,
  sql`create table cluster_config_new (
    id integer primary key,
    config_id text not null unique,
    owner_id integer not null references owner (id) on delete cascade,
    cluster_name text not null,
    name text,
    provider text,
    created_at integer not null,
    updated_at integer not null,
    key_id text not null,
    sealed blob not null
  )`,
  sql`insert into cluster_config_new
    (id, config_id, owner_id, cluster_name, name, provider, created_at, updated_at, key_id, sealed)
    select id, config_id, user_id, cluster_name, name, provider, created_at, updated_at, key_id, sealed from cluster_config`,
  sql`drop table cluster_config`,
  sql`alter table cluster_config_new rename to cluster_config`,
  sql`create index cluster_config_by_owner on cluster_config (owner_id, id)`,
  refuse('cluster_config_key', 'insert on cluster_config'),
  refuse('cluster_config_new_key', 'update of key_id on cluster_config'),
]

/** Clusters and profiles belong to an owner, which is a user or a team. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of [...teams, ...owned]) await statement.execute(trx)
}
