import { sql, type Transaction } from 'kysely'

const statements = [
  sql`create table meta (key text primary key, value text not null) without rowid`,

  sql`create table user (
    id integer primary key,
    login text not null unique,
    email text,
    role text not null,
    plan text not null,
    created_at integer not null
  )`,

  sql`create table project (
    id integer primary key,
    slug text not null unique,
    name text not null,
    description text not null,
    category text not null,
    cncf_status text not null,
    homepage text not null,
    docs_url text not null,
    repo_url text not null,
    helm_chart_repo text,
    logo_url text not null,
    tag_pattern text,
    origin text not null,
    updated_at integer not null,
    latest_version text,
    latest_published_at integer
  )`,
  sql`create index project_by_name on project (name collate nocase)`,
  sql`create table project_image (
    repository text not null,
    name text not null,
    project_id integer not null references project on delete cascade,
    primary key (repository, project_id)
  ) without rowid`,
  sql`create index project_image_by_name on project_image (name)`,
  sql`create index project_image_by_project on project_image (project_id)`,
  sql`create table project_chart (
    name text not null,
    project_id integer not null references project on delete cascade,
    primary key (name, project_id)
  ) without rowid`,
  sql`create index project_chart_by_project on project_chart (project_id)`,
  sql`create table release (
    id integer primary key,
    project_id integer not null references project on delete cascade,
    type text not null,
    chart_name text not null,
    version text not null,
    app_version text,
    published_at integer not null,
    created_at integer not null,
    url text not null,
    release_notes text not null,
    has_security_fix integer not null,
    security_severity text not null,
    security_summary text,
    cve_list text,
    cve_links text,
    origin text not null,
    unique (project_id, type, chart_name, version)
  )`,
  sql`create index release_by_project on release (project_id, type, published_at desc)`,
  sql`create index release_by_time on release (published_at)`,

  sql`create table cluster (
    id integer primary key,
    user_id integer not null references user on delete cascade,
    name text not null,
    environment text not null,
    unique (user_id, name, environment)
  )`,
  sql`create table run (
    id integer primary key autoincrement,
    run_id text not null unique,
    cluster_id integer not null references cluster on delete cascade,
    at integer not null,
    ingested_at integer not null,
    started_at integer,
    finished_at integer,
    duration_seconds real,
    provider text,
    region text,
    source text,
    source_version text,
    kubernetes_version text,
    score real,
    total_checks integer not null,
    failed_checks integer not null,
    findings_total integer not null,
    findings_critical integer not null,
    findings_high integer not null,
    findings_medium integer not null,
    findings_low integer not null,
    findings_info integer not null,
    images integer not null,
    helm_charts integer not null,
    apps integer not null,
    size_bytes integer not null,
    ci text,
    content_hash blob not null,
    idempotency_key text,
    unique (cluster_id, content_hash),
    unique (cluster_id, idempotency_key)
  )`,
  sql`create index run_by_time on run (cluster_id, at, id)`,

  sql`create table run_part (
    run_id integer not null references run on delete cascade,
    kind text not null,
    part integer not null,
    key_id text not null,
    sealed blob not null,
    primary key (run_id, kind, part)
  )`,
  sql`create table run_finding (run_id integer primary key references run on delete cascade, records blob not null)`,
  sql`create table finding_history (
    cluster_id integer not null references cluster on delete cascade,
    fingerprint blob not null,
    first_at integer not null,
    first_run_id integer not null,
    primary key (cluster_id, fingerprint)
  ) without rowid`,
]

export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}
