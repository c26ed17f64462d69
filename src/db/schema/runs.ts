import type { Provider } from '../../contract/cluster-config.ts'
import type { Run } from '../../contract/cluster-report.ts'
import type { ReportFormat } from '../../contract/scan-finding.ts'
import type { Subject } from '../../reports/ledger.ts'
import type { Sealed } from '../../util/seal.ts'
import { owner } from './accounts.ts'
import { project } from './catalog.ts'
import { sealed } from './sealed.ts'
import { blob, id, incompressible, integer, real, reference, table, text, time } from './table.ts'

/** A cluster of an owner in one environment. Its runs are compared with each other. */
export const cluster = table(
  'cluster',
  {
    id: id(),
    owner_id: reference(owner),
    name: text(),
    environment: text(),
    /** Unlike `id`, it is never reused. */
    public_id: text().unique().default({
      sqlite: `('clus_' || lower(hex(randomblob(8))))`,
      postgres: `'clus_' || substr(md5(cast(gen_random_uuid() as text)), 1, 16)`,
    }),
    /** JSON array of strings. */
    labels: text().default('[]'),
    /** Seconds between two scans; null if none are expected. */
    expected_every: integer().orNull(),
    /** Runs of other branches are candidates; null before the first run of a branch. */
    branch: text().orNull(),
    /** No finding was seen before this time. */
    first_at: time().orNull(),
  },
  { unique: [['owner_id', 'name', 'environment']] },
)

/** Runs of one scanner about the same subjects. Each is compared with the one before it. */
export const series = table(
  'series',
  {
    id: id(),
    cluster_id: reference(cluster),
    format: text<ReportFormat>(),
    kind: text<Subject['kind']>(),
    /** When its subject ended, such as an image that no longer runs; it is then not part of the cluster's state. */
    ended_at: time().orNull(),
    /** The credential that ended it, see `makerFor`. */
    made_by: text().orNull(),
  },
  { indexes: { series_by_cluster: ['cluster_id', 'format'] } },
)

/** The series of a subject: see `reports/ledger.ts`. */
export const seriesSubject = table(
  'series_subject',
  {
    cluster_id: reference(cluster),
    /** Keyed hash of the scanner and its subject, because it may name an image or a folder. */
    subject: blob(),
    series_id: reference(series),
  },
  { primaryKey: ['cluster_id', 'subject'], isWithoutRowId: true, indexes: { series_subject_by_series: ['series_id'] } },
)

export const run = table(
  'run',
  {
    id: id('once'),
    run_id: text().unique(),
    cluster_id: reference(cluster),
    series_id: reference(series),
    /** 1 if it is judged only, such as the run of a pull request, and not part of the cluster's state. */
    is_candidate: integer().default(0),
    /** Time of the scan, never after `ingested_at`. Orders the runs of a cluster, with `id` as the tiebreaker. */
    at: time(),
    ingested_at: time(),
    started_at: time().orNull(),
    finished_at: time().orNull(),
    duration_seconds: real().orNull(),
    provider: text().orNull(),
    region: text().orNull(),
    source: text().orNull(),
    source_version: text().orNull(),
    kubernetes_version: text().orNull(),
    score: real().orNull(),
    score_source: text<NonNullable<Run['score_source']>>().orNull(),
    format: text<ReportFormat>(),
    total_checks: integer(),
    failed_checks: integer(),
    not_run_checks: integer(),
    /** Number of checks, namespaces and kinds that an earlier run of the series read and this one left out. */
    scope_gaps: integer().default(0),
    /** Number of checks that did not run by a known fault of the scanner, and never have. */
    known_faults: integer().default(0),
    /** Keyed hash of checks that did not run and missing parts: '' if there are none. Equal keys mean equal gaps. */
    gaps_key: text(),
    is_empty: integer(),
    /** 1 if packages were scanned for vulnerabilities. */
    vulnerability_scan: integer().default(0),
    /** JSON: how many of the findings the run did not look at, by severity; they are carried over from earlier runs. */
    carried: text().orNull(),
    findings_total: integer(),
    findings_critical: integer(),
    findings_high: integer(),
    findings_medium: integer(),
    findings_low: integer(),
    findings_info: integer(),
    findings_unknown: integer().default(0),
    suppressed_findings: integer(),
    /** Increases when its findings change, which caches depend on. */
    revision: integer().default(0),
    /** JSON: number of different findings by severity, worst first. */
    distinct_findings: text(),
    images: integer(),
    helm_charts: integer(),
    apps: integer(),
    size_bytes: integer(),
    /** JSON. */
    ci: text().orNull(),
    /** HMAC of the SHA-256 of the report. */
    content_hash: blob(),
    idempotency_key: text().orNull(),
    /** Worst of the latest gate verdicts; null if none was reported. */
    gate_verdict: text<'passed' | 'failed' | 'undecided'>().orNull(),
    gate_at: time().orNull(),
    /** How much its policies let pass undecided or out of scope, and the last day on which all used exceptions are valid. */
    gate_let_pass: integer().orNull(),
    gate_exceptions_end: text().orNull(),
  },
  {
    unique: [['cluster_id', 'idempotency_key']],
    indexes: {
      run_by_time: ['cluster_id', 'at', 'id'],
      run_by_content: ['cluster_id', 'content_hash'],
      run_by_series: ['series_id', 'is_candidate', 'at', 'id'],
    },
  },
)

export const runPart = table(
  'run_part',
  {
    run_id: reference(run),
    /**
     * `report`: as uploaded; `context`: scope, names and artifacts; `details`: blocks of finding texts; `guidance`:
     * recommendations, weights and risk paths; `advisories`: ids of advisories by image, from scanners that list them;
     * `assessment`: the artifacts rated by a catalog revision, and as part 1 their freshness on a day; `running`: a summary
     * of it for the cluster, by project, see `operations/fleet/running-versions.ts`, and as part 2 in figures; `gate`: gate
     * verdicts; `joins`: workloads that had another name in the run before, or have one in the next; `split`: one of them that is another workload after all, see `workload_split`; `counts`: numbers of its findings, see `reports/run-counts.ts`; `subjects`: their names, unless the run is about the cluster itself; `end`: why its subject ended; `baseline`: why the gate takes it in.
     */
    kind: text<
      | 'report'
      | 'context'
      | 'details'
      | 'guidance'
      | 'advisories'
      | 'assessment'
      | 'running'
      | 'gate'
      | 'joins'
      | 'split'
      | 'counts'
      | 'subjects'
      | 'end'
      | 'baseline'
    >(),
    part: integer(),
    ...sealed,
    sealed: incompressible<Sealed>(),
  },
  { primaryKey: ['run_id', 'kind', 'part'], indexes: { run_part_by_key: ['key_id'] } },
)

/** Keyed fingerprint, severity and check of each finding: see `reports/finding-index.ts`. */
export const runFinding = table('run_finding', {
  run_id: reference(run).primaryKey(),
  records: incompressible(),
  /** The run whose records are the dictionary to decompress them; null: they are not compressed. */
  packed_with: integer().orNull(),
  /** How many runs before this one need it, one through the other. */
  chain: integer().default(0),
})

/** The first appearance of a finding in a cluster: distinguishes new findings from regressed ones. */
export const findingHistory = table(
  'finding_history',
  {
    cluster_id: reference(cluster),
    /** Keyed fingerprint, as in the records. */
    fingerprint: blob(),
    first_at: time(),
    first_run_id: integer(),
  },
  { primaryKey: ['cluster_id', 'fingerprint'], isWithoutRowId: true },
)

/** A scan profile. It is sealed as a whole; columns for lists are stored beside it. */
export const clusterConfig = table(
  'cluster_config',
  {
    id: id(),
    config_id: text().unique(),
    owner_id: reference(owner),
    cluster_name: text(),
    name: text(),
    provider: text<Provider>(),
    created_at: time(),
    updated_at: time(),
    ...sealed,
  },
  { indexes: { cluster_config_by_owner: ['owner_id', 'id'] } },
)

/** A run that rules of the gate compare later runs of its series with. */
export const gateBaseline = table(
  'gate_baseline',
  {
    id: id(),
    series_id: reference(series),
    run_id: reference(run),
    /** The rule that passed, as written; '' for all rules: somebody took in what the run has. */
    rule: text(),
    /** 1 for the first run, which no rule passed: see `operations/runs/baseline.ts`. */
    is_begun: integer().default(0),
    /** Login. */
    by: text(),
    /** Its maker, if somebody took the run in: see `accounts/maker.ts`. */
    made_by: text().orNull(),
    /** `YYYY-MM-DD`: last day (UTC) of what was taken in; null: it stays. */
    until: text().orNull(),
    /** JSON: see `HeldBack`. Fingerprints are keyed, as in the records. */
    held: text().default('[]'),
  },
  { unique: [['run_id', 'rule']], indexes: { gate_baseline_by_series: ['series_id'] } },
)

/** Splits of workloads that a run had joined, with their makers. */
export const workloadSplit = table(
  'workload_split',
  {
    id: id(),
    run_id: reference(run),
    /** Number of the run's part of kind `split`, which says what was split. */
    part: integer(),
    /** Its maker: see `accounts/maker.ts`. */
    made_by: text().orNull(),
  },
  { unique: [['run_id', 'part']] },
)

/** Columns of a document that an owner has at most one of. */
const ownerDocument = {
  id: id(),
  public_id: text().unique(),
  owner_id: reference(owner).unique(),
  changed_at: time(),
  /** Login of the last editor. */
  changed_by: text(),
  ...sealed,
}

/** Rules that assign owners to workloads. Sealed, because they name namespaces. */
export const ownership = table('ownership', ownerDocument)

/** The gate policy of an owner, in YAML. Sealed, because its exceptions name resources. */
export const gatePolicy = table('gate_policy', ownerDocument)

/** An exception of the gate. Its patterns and reason are sealed, because they name resources. */
export const exception = table(
  'exception',
  {
    id: id(),
    exception_id: text().unique(),
    owner_id: reference(owner),
    created_at: time(),
    /** Login of the creator. */
    created_by: text(),
    /** `YYYY-MM-DD`: the last day (UTC) on which it applies. */
    expires_on: text(),
    /** When it stops to apply: the end of that day, or when a user ended it. */
    ends_at: time(),
    /** The next release of this project ends it earlier. */
    release_project_id: reference(project, 'set null').orNull(),
    /** Publication of that project's newest known release when the exception was added. */
    released_after: time().orNull(),
    /** Login of the user who ended it early. */
    ended_by: text().orNull(),
    /** The credential that added it, see `makerFor`; null once it was ended. */
    made_by: text().orNull(),
    ...sealed,
  },
  { indexes: { exception_by_end: ['owner_id', 'ends_at'] } },
)
