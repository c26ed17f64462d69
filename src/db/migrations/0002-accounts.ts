import { sql, type Transaction } from 'kysely'

const statements = [
  sql`alter table user add column password_hash text`,
  sql`alter table user add column slack_webhook text`,
  sql`alter table user add column teams_webhook text`,
  sql`alter table user add column generic_webhook text`,
  sql`alter table user add column webhook_release_types text not null default 'app,helm,pre'`,
  sql`create table api_key (
    id integer primary key,
    uuid text not null unique,
    user_id integer not null references user on delete cascade,
    name text not null,
    secret_hash blob not null unique,
    created_at integer not null,
    last_used_at integer
  )`,
  sql`create index api_key_by_user on api_key (user_id, id)`,
  sql`create table session (
    token_hash blob primary key,
    user_id integer not null references user on delete cascade,
    nonce text not null,
    expires_at integer not null
  ) without rowid`,

  sql`create table subscription (
    id integer primary key autoincrement,
    user_id integer not null references user on delete cascade,
    project_id integer not null references project on delete cascade,
    slack_webhook text,
    teams_webhook text,
    generic_webhook text,
    email_enabled integer not null,
    email_frequency text not null,
    release_types_filter text not null,
    webhook_release_types text not null,
    use_global_webhooks integer not null,
    notifications_paused integer not null,
    created_at integer not null,
    unique (user_id, project_id)
  )`,
  sql`create index subscription_by_project on subscription (project_id)`,
  sql`create table label (
    id integer primary key autoincrement,
    user_id integer not null references user on delete cascade,
    name text not null,
    color text not null,
    unique (user_id, name)
  )`,
  sql`create table subscription_label (
    subscription_id integer not null references subscription on delete cascade,
    label_id integer not null references label on delete cascade,
    primary key (subscription_id, label_id)
  ) without rowid`,
  sql`create index subscription_label_by_label on subscription_label (label_id)`,
  sql`create table delivery (
    id integer primary key autoincrement,
    user_id integer not null references user on delete cascade,
    created_at integer not null,
    kind text not null,
    channel text not null,
    target text not null,
    subscription_id integer references subscription on delete set null,
    project_id integer references project on delete set null,
    version text,
    status text not null,
    attempts integer not null,
    http_status integer,
    error text
  )`,
  sql`create index delivery_by_user on delivery (user_id, id)`,
  sql`create index delivery_by_subscription on delivery (subscription_id)`,
  sql`create index delivery_by_project on delivery (project_id)`,
  sql`create index release_security_by_time on release (published_at) where has_security_fix = 1`,

  sql`create table cluster_config (
    id integer primary key,
    config_id text not null unique,
    user_id integer not null references user on delete cascade,
    cluster_name text not null,
    created_at integer not null,
    updated_at integer not null,
    key_id text not null,
    sealed blob not null
  )`,
  sql`create index cluster_config_by_user on cluster_config (user_id, id)`,

  sql`create virtual table project_search using fts5 (
    name, slug, description, category, repo_url,
    content = 'project', content_rowid = 'id', tokenize = 'trigram'
  )`,
  sql`insert into project_search (project_search) values ('rebuild')`,
  sql`create trigger project_search_insert after insert on project begin
    insert into project_search (rowid, name, slug, description, category, repo_url)
    values (new.id, new.name, new.slug, new.description, new.category, new.repo_url);
  end`,
  sql`create trigger project_search_delete after delete on project begin
    insert into project_search (project_search, rowid, name, slug, description, category, repo_url)
    values ('delete', old.id, old.name, old.slug, old.description, old.category, old.repo_url);
  end`,
  sql`create trigger project_search_update after update of name, slug, description, category, repo_url on project begin
    insert into project_search (project_search, rowid, name, slug, description, category, repo_url)
    values ('delete', old.id, old.name, old.slug, old.description, old.category, old.repo_url);
    insert into project_search (rowid, name, slug, description, category, repo_url)
    values (new.id, new.name, new.slug, new.description, new.category, new.repo_url);
  end`,

  sql`create table audit (
    id integer primary key,
    at integer not null,
    user_id integer,
    login text,
    action text not null,
    subject text,
    request_id text
  )`,
  sql`create index audit_by_time on audit (at)`,
]

export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}
