import { owner } from './accounts.ts'
import { cluster } from './runs.ts'
import { id, incompressible, integer, real, reference, table, text, time } from './table.ts'

/**
 * Summary of what runs in a cluster, rated by the catalog. Triggers delete the row, with those of its scanners, when a run
 * of the cluster is added, removed or moved. A row with another catalog revision, or after `valid_until`, is computed again.
 */
export const clusterSummary = table('cluster_summary', {
  cluster_id: reference(cluster).primaryKey(),
  /** The latest run with an inventory, which the columns below are about. */
  inventory_run_id: integer().orNull(),
  catalog_revision: text(),
  /** When the next support period ends, or enters its warning period. */
  valid_until: time(),
  /** Since when findings are new in the summaries of the scanners. */
  since: time(),
  artifacts: integer(),
  known: integer(),
  minor_behind: integer(),
  major_behind: integer(),
  /** Number of artifacts that an advisory affects. */
  affected: integer(),
  affected_critical: integer(),
  affected_high: integer(),
  /** Number of critical findings that another scan of the cluster tells, too. */
  repeated_critical: integer(),
  /** Number of support periods that have ended, and that end within 90 days. */
  ended: integer(),
  ending: integer(),
  /** Artifacts that are malicious, that have an exploited vulnerability, and whose project is retired. */
  compromised: integer(),
  exploited: integer(),
  retired: integer(),
})

/** What is new in the latest run of a series. Deleted with the cluster's summary. */
export const scannerSummary = table(
  'scanner_summary',
  {
    cluster_id: reference(clusterSummary),
    series_id: integer(),
    /** The latest run of the series. */
    run_id: integer(),
    /** The last run until `since`, which it was compared with; without one, all its findings are new. */
    from_run_id: integer().orNull(),
    score_delta: real().orNull(),
    new_findings: integer(),
    new_critical: integer(),
    new_high: integer(),
    regressed_findings: integer(),
    regressed_critical: integer(),
    regressed_high: integer(),
    resolved_findings: integer(),
    /** Changes by severity, as JSON. */
    changes: text(),
    /** When the oldest of its critical findings was first seen. */
    oldest_critical: time().orNull(),
  },
  { primaryKey: ['cluster_id', 'series_id'], indexes: { scanner_summary_by_run: ['run_id'] } },
)

/** The changes between the two runs that the summary of a series compares. Deleted with the summary. */
export const scannerChange = table(
  'scanner_change',
  {
    cluster_id: integer(),
    series_id: integer(),
    /** Records of new findings, copied from the newer run. */
    new_records: incompressible(),
    /** Records of regressed findings, copied from the newer run. */
    regressed_records: incompressible(),
    /** Number of findings that cannot be compared. */
    incomparable_findings: integer(),
  },
  {
    primaryKey: ['cluster_id', 'series_id'],
    parent: { columns: ['cluster_id', 'series_id'], table: scannerSummary },
  },
)

/** An agent on some machine, from its last heartbeat. */
export const agent = table(
  'agent',
  {
    id: id(),
    owner_id: reference(owner),
    agent_id: text(),
    host: text(),
    version: text(),
    uploads_waiting: integer(),
    first_seen_at: time(),
    last_seen_at: time(),
    /** JSON. */
    jobs: text(),
  },
  { unique: [['owner_id', 'agent_id']] },
)

/** How often an agent uploads reports of a cluster. */
export const agentCluster = table(
  'agent_cluster',
  {
    agent: reference(agent),
    cluster_name: text(),
    environment: text(),
    expected_every: integer(),
    /** Start of the expectation. */
    since: time(),
  },
  { primaryKey: ['agent', 'cluster_name', 'environment'], isWithoutRowId: true },
)

/** A job of the agent, added when it is first evaluated. */
export const agentJob = table(
  'agent_job',
  {
    name: text().primaryKey(),
    /** The schedule as text; a changed one starts at the time of the change. */
    schedule: text(),
    /** Every occurrence up to this instant has been evaluated. */
    watermark: time(),
    is_paused: integer().default(0),
  },
  { isWithoutRowId: true },
)

/** One occurrence of a job, or several consecutive missed ones. */
export const agentOccurrence = table(
  'agent_occurrence',
  {
    id: id(),
    job: text(),
    cause: text<'schedule' | 'trigger' | 'file'>(),
    /** Instant of the schedule. */
    due_at: time(),
    /** Last instant of several; equal to `due_at` for one. */
    until_at: time(),
    /** Number of occurrences; null if there are too many to count. */
    count: integer().orNull(),
    state: text<'pending' | 'running' | 'done' | 'failed' | 'skipped' | 'missed'>(),
    attempts: integer().default(0),
    /** The agent that runs it, and the end of its lease. */
    owner: text().orNull(),
    lease_until: time().orNull(),
    started_at: time().orNull(),
    finished_at: time().orNull(),
    late_seconds: integer().default(0),
    run_id: text().orNull(),
    score: real().orNull(),
    verdict: text().orNull(),
    exit_code: integer().orNull(),
    /** A reason, or the end of the error output with secrets masked. */
    detail: text().orNull(),
  },
  {
    indexes: {
      agent_occurrence_once: { on: ['job', 'due_at'], isUnique: true, where: `cause = 'schedule'` },
      agent_occurrence_open: { on: ['job', 'due_at'], where: `state in ('pending', 'running')` },
      agent_occurrence_finished: ['finished_at'],
    },
  },
)

/** A file in a watched folder, identified by its content. */
export const agentFile = table(
  'agent_file',
  {
    job: text(),
    /** SHA-256, hex. */
    content_hash: text(),
    name: text(),
    outcome: text<'done' | 'refused'>(),
    at: time(),
  },
  { primaryKey: ['job', 'content_hash'], isWithoutRowId: true },
)

/** A state that lasts for a period. At most one of a kind and key is open. */
export const event = table(
  'event',
  {
    id: id(),
    owner_id: reference(owner),
    kind: text(),
    key: text(),
    opened_at: time(),
    ended_at: time().orNull(),
    /** JSON. */
    data: text(),
  },
  {
    indexes: {
      event_open: { on: ['owner_id', 'kind', 'key'], isUnique: true, where: 'ended_at is null' },
      event_by_end: ['ended_at'],
    },
  },
)
