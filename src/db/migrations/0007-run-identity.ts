import { sql, type Transaction } from 'kysely'

const columns =
  sql.raw(`id, run_id, cluster_id, at, ingested_at, started_at, finished_at, duration_seconds, provider, region,
  source, source_version, kubernetes_version, score, score_source, format, total_checks, failed_checks, findings_total,
  findings_critical, findings_high, findings_medium, findings_low, findings_info, images, helm_charts, apps, size_bytes, ci,
  content_hash, idempotency_key`)

// SQLite cannot drop a unique constraint, so the table is made again. Foreign keys are off while migrations run.
const statements = [
  sql`create table run_new (
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
    score_source text,
    format text not null,
    total_checks integer not null,
    failed_checks integer not null,
    not_run_checks integer not null default 0,
    is_empty integer not null default 0,
    findings_total integer not null,
    findings_critical integer not null,
    findings_high integer not null,
    findings_medium integer not null,
    findings_low integer not null,
    findings_info integer not null,
    suppressed_findings integer not null default 0,
    images integer not null,
    helm_charts integer not null,
    apps integer not null,
    size_bytes integer not null,
    ci text,
    content_hash blob not null,
    idempotency_key text,
    identity_version integer not null default 1,
    unique (cluster_id, idempotency_key)
  )`,
  sql`insert into run_new (${columns}) select ${columns} from run`,
  sql`delete from sqlite_sequence where name = 'run_new'`,
  sql`insert into sqlite_sequence (name, seq) select 'run_new', seq from sqlite_sequence where name = 'run'`,
  sql`drop table run`,
  sql`alter table run_new rename to run`,
  sql`create index run_by_time on run (cluster_id, at, id)`,
  sql`create index run_by_content on run (cluster_id, content_hash)`,
  sql`create index run_by_identity on run (identity_version, cluster_id)`,
]

/** The same content may be several runs; a run knows by which rules its findings are identified. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}
