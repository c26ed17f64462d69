import * as z from 'zod/mini'
import { withoutCredentials } from '../util/address.ts'
import { lookedAtParts, reportFormats } from './choices.ts'
import { RunGate } from './gate-verdict.ts'
import { noNul, oneLine } from './patterns.ts'
import { AksReadiness, ReadinessChange, RiskPath, RiskPathChanges } from './risk-path.ts'
import { Finding, FindingCounts, FindingSeverity, ReportFormat, RunId } from './scan-finding.ts'
import {
  clusterPlace,
  documented,
  freeText,
  nullableInt,
  nullableNumber,
  nullableText,
  nullableTime,
  optionalBoolean,
  optionalInt,
  optionalText,
  optionalTexts,
  optionalTime,
  optionalTrue,
  requiredText,
  success,
  Timestamp,
  text,
  texts,
  timeIn,
} from './shape.ts'

/** An address or a name. CI systems put tokens into URLs: such parts are removed. */
function plainText(maxLength: number) {
  const schema = z.pipe(
    text(maxLength),
    z.transform((value: string | undefined) => value && withoutCredentials(value)),
  )
  return documented(schema, { type: 'string', maxLength, pattern: oneLine })
}

export const Ci = z.object({
  provider: z.nullish(text(100)),
  repository: z.nullish(plainText(500)),
  commit: z.nullish(text(100)),
  branch: z.nullish(text(300)),
  build_url: z.nullish(plainText(1000)),
  /** Extensions: the pull or merge request that is built, and the branch that it is for. Its runs are only judged. */
  pull_request: z.nullish(text(100)),
  target_branch: z.nullish(text(300)),
})

/** Only the known fields, as in answers. */
const CiRecord = z.object({
  provider: optionalText,
  repository: optionalText,
  commit: optionalText,
  branch: optionalText,
  build_url: optionalText,
  pull_request: optionalText,
  target_branch: optionalText,
})

const artifactText = z.nullish(freeText(2000))
/** Credentials are removed, as above. */
const artifactAddress = z.nullish(
  documented(z.pipe(z.string().check(z.maxLength(2000)), z.transform(withoutCredentials)), {
    type: 'string',
    maxLength: 2000,
    pattern: noNul,
  }),
)
const workload = { namespace: artifactText, workloadKind: artifactText, workloadName: artifactText }
const artifactRows = <T extends z.core.$ZodShape>(shape: T, most = 50_000) =>
  z.nullish(z.array(z.object(shape)).check(z.maxLength(most)))

/** An extension: what runs in the cluster, in the format of a report's own `artifacts`; used if the report has none. */
export const Inventory = z.object({
  images: artifactRows({
    ...workload,
    fullRef: artifactText,
    helmChartName: artifactText,
    helmReleaseName: artifactText,
    /** Digest of the workload's pod template: it tells whether the template has changed. */
    specDigest: artifactText,
  }),
  helmCharts: artifactRows({
    ...workload,
    name: artifactText,
    version: artifactText,
    appVersion: artifactText,
    releaseName: artifactText,
    releaseNamespace: artifactText,
  }),
  apps: artifactRows({ name: artifactText, version: artifactText, namespace: artifactText }),
  /** Pods and their controllers, up to the objects that users edit, each with its own controller. */
  owners: artifactRows(
    {
      namespace: artifactText,
      kind: artifactText,
      name: artifactText,
      ownerKind: artifactText,
      ownerName: artifactText,
    },
    200_000,
  ),
  /** An extension: owners by labels of workloads or, in rows without a workload, of namespaces. */
  ownerLabels: artifactRows({
    namespace: artifactText,
    workloadKind: artifactText,
    workloadName: artifactText,
    owner: artifactText,
  }),
  /** An extension: the nodes' `nodeInfo`, and the managed offering by their labels, such as `aks`. */
  nodes: artifactRows({
    name: artifactText,
    osImage: artifactText,
    containerRuntimeVersion: artifactText,
    kubeletVersion: artifactText,
    offering: artifactText,
  }),
  /** An extension: charts that Argo CD, Flux or k3s is configured to install. */
  wanted: artifactRows({
    tool: artifactText,
    kind: artifactText,
    namespace: artifactText,
    name: artifactText,
    chart: artifactText,
    version: artifactText,
    repository: artifactAddress,
    running: artifactText,
    releaseName: artifactText,
    releaseNamespace: artifactText,
  }),
  /** An extension: API versions in use, besides those under which the inventory listed objects. */
  apis: artifactRows({
    group: artifactText,
    version: artifactText,
    kind: artifactText,
    by: artifactText,
    users: z.nullish(z.array(freeText(2000)).check(z.maxLength(20))),
    count: z.nullish(z.int().check(z.gte(0), z.lte(1_000_000_000))),
  }),
  /** An extension: resources that could not be read, such as `nodes`, with the reason. */
  unread: artifactRows({ source: artifactText, reason: artifactText }, 100),
  /** Why the inventory is incomplete, one sentence each. */
  gaps: z.nullish(z.array(freeText(2000)).check(z.maxLength(100))),
})
export type Inventory = z.input<typeof Inventory>

/** The fields of an upload around the report. The report itself is sent as text: see `ReportUpload`. */
export const ReportEnvelope = z.object({
  source: z.nullish(text(100)),
  source_version: z.nullish(text(100)),
  environment: z.nullish(text(100)),
  cluster: z.nullish(
    z.object({ name: z.nullish(text(253)), provider: z.nullish(text(100)), region: z.nullish(text(100)) }),
  ),
  run: z.nullish(
    z.object({
      started_at: z.nullish(timeIn),
      finished_at: z.nullish(timeIn),
      duration_seconds: z.nullish(z.number().check(z.gte(0), z.lte(31_536_000))),
    }),
  ),
  ci: z.nullish(Ci),
  /**
   * An extension: the scanner of the report, so that a report of another shape and an empty one are rejected. Without it,
   * the scanner is detected, and a report that is not understood is stored as it is.
   */
  format: z.nullish(z.enum(reportFormats)),
  artifacts: z.nullish(Inventory),
  /** An extension: what the report is about, in place of what it says: an image, a folder or a tool. */
  subject: z.nullish(text(200)),
  /** An extension: runs of other branches are judged, and only those of this one are the state of an image, folder or tool. */
  state_branch: z.nullish(text(300)),
  /** An extension: parts that the scan looked at, also without a result in the report. */
  looked_at: z.nullish(z.array(z.enum(lookedAtParts)).check(z.maxLength(lookedAtParts.length))),
})
export type ReportEnvelope = z.input<typeof ReportEnvelope>

/**
 * Extensions: `environments` lists all environments of the cluster with runs; without `environment`, the runs of each are
 * listed. `run_id_prefix` and `latest` repeat the parameters, so that a client knows they were supported.
 */
export const runPageFields = {
  environments: optionalTexts,
  run_id_prefix: optionalText,
  latest: optionalTrue,
}

export const UploadResult = z.object({
  ...success,
  run_id: RunId,
  ingested_at: Timestamp,
  processing_status: z.literal('ready'),
  /** An extension: number of checks in the report that did not run. */
  not_run_checks: optionalInt,
  /** Present if this report was already stored; `run_id` is then the first run's. */
  duplicate: optionalTrue,
  /** An extension: parts of the report that the run ignores, one sentence each. */
  warnings: optionalTexts,
})
export type UploadResult = z.infer<typeof UploadResult>

/** An extension: a check that did not run, so its findings are unknown. */
export const CheckNotRun = z.object({
  check_id: z.string(),
  name: z.string(),
  reason: z.string(),
  /** Why this build of the scanner cannot run it. Set if no earlier scan ran it, so no verdict depends on it. */
  known_fault: optionalText,
})
export type CheckNotRun = z.infer<typeof CheckNotRun>

export const CheckAdvice = z.object({
  check_id: z.string(),
  recommendation: nullableText,
  url: nullableText,
})
export type CheckAdvice = z.infer<typeof CheckAdvice>

/** Why a subject ended. */
export const EndSubject = z.object({ reason: requiredText(1000) })

/** An extension: an image, folder, tool or benchmark that is no longer part of the cluster's state. */
export const SubjectEnd = z.object({
  ended_at: Timestamp,
  reason: z.string(),
  /** Login of the user who ended it; null if an inventory did. */
  ended_by: nullableText,
})
export type SubjectEnd = z.infer<typeof SubjectEnd>

export const EndedSubject = z.object({
  ...success,
  run_id: RunId,
  ...clusterPlace,
  format: ReportFormat,
  subject: nullableText,
  ...SubjectEnd.shape,
  /** Findings that went with it. */
  findings: FindingCounts,
})
export type EndedSubject = z.infer<typeof EndedSubject>

/** An extension: what a run looked at of one subject. Parts are checks, classes of results or kinds of reports. */
export const LedgerSubject = z.object({
  kind: z.enum(['cluster', 'image', 'folder', 'tool', 'benchmark']),
  /** Empty for the cluster itself. */
  name: z.string(),
  platform: optionalText,
  category: optionalText,
  parts: z.array(
    z.object({
      name: z.string(),
      /** `not_asked`: it needs what the scanner never has there. */
      state: z.enum(['read', 'not_asked', 'left_out', 'forbidden', 'failed']),
      reason: optionalText,
      /** An earlier run read it, so it is expected. Present if this run did not. */
      was_read: optionalTrue,
      /** Severity of its findings, if the report states it. */
      severity: z.optional(FindingSeverity),
    }),
  ),
  /** Namespaces; an earlier run read `were_read`, and this one did not. */
  places: z.object({
    read: z.union([z.literal('all'), texts]),
    left_out: texts,
    forbidden: texts,
    failed: texts,
    were_read: optionalTexts,
  }),
})
export type LedgerSubject = z.infer<typeof LedgerSubject>

export const Run = z.object({
  run_id: RunId,
  ...clusterPlace,
  provider: nullableText,
  region: nullableText,
  source: nullableText,
  source_version: nullableText,
  kubernetes_version: nullableText,
  /** 0–100; null if the report has none. */
  score: nullableNumber,
  /** An extension: origin of the score. `computed`: by relt's own formula, for a scanner without a score. */
  score_source: z.nullable(z.enum(['scanner', 'computed'])),
  /** An extension: the scanner, `unknown` if the report was not understood. Runs of different scanners are not compared. */
  format: ReportFormat,
  /** An extension, only for a single run: the image, folder, tool or benchmark that it is about. Absent: the cluster. */
  subject: optionalText,
  /** Extensions, only for a single run: its scanner, and what it looked at. */
  scanner: z.optional(ReportFormat),
  subjects: z.optional(z.array(LedgerSubject)),
  /** An extension, only for a single run: its subject has ended since. */
  ended: z.optional(SubjectEnd),
  /** An extension: the run is judged only, and not part of the cluster's state. Absent: false. */
  is_candidate: optionalTrue,
  total_checks: z.int(),
  failed_checks: z.int(),
  /** Number of checks that ran without findings. */
  passed_checks: z.int(),
  /** An extension: nothing in the report shows that the scan covered anything. */
  is_empty: optionalBoolean,
  /** An extension: packages were scanned for vulnerabilities, so one that is not listed was not found. */
  vulnerability_scan: optionalBoolean,
  /** An extension: number of checks, namespaces and kinds that an earlier run read and this one left out. */
  scope_gaps: optionalInt,
  /** An extension: equal for runs whose scores exclude the same checks and namespaces. */
  gaps_key: optionalText,
  /** An extension: number of checks in the report that did not run. */
  not_run_checks: optionalInt,
  /** An extension: how many of them a known fault of the scanner prevents, so no verdict depends on them. */
  known_faults: optionalInt,
  /** An extension: the checks that did not run; only for a single run. */
  checks_not_run: z.optional(z.array(CheckNotRun)),
  /** Extensions, only for a single run: checks that the scanner's previous run lacked, and those that only it had. */
  first_seen_checks: z.optional(z.nullable(texts)),
  missing_checks: z.optional(z.nullable(texts)),
  /** The score if all that was not read had failed; absent if nothing is unread. */
  score_floor: z.optional(nullableNumber),
  /** Extensions, only for a single run: how to fix the findings of each check, as stated in the report. */
  guidance: z.optional(z.array(CheckAdvice)),
  /** Null if the report does not list risk paths. */
  risk_paths: z.optional(z.nullable(z.array(RiskPath))),
  /** Null if the report does not assess it. */
  aks_readiness: z.optional(z.nullable(AksReadiness)),
  /** An extension: verdict of gates; null if none has judged the run. */
  gate: z.optional(z.nullable(RunGate)),
  /** Findings of the scan, and of earlier ones that it did not look at. */
  findings: FindingCounts,
  /** An extension: how many of them the scan did not look at, so they stay open. Absent: none. */
  not_looked_at_findings: optionalInt,
  /** An extension: number of findings suppressed by an annotation in the cluster or an exception of the scanner. */
  suppressed_findings: optionalInt,
  /**
   * An extension: number of different findings that exceptions cover now; `findings` includes them. Only for a single run.
   */
  accepted_findings: optionalInt,
  artifacts: z.object({ images: z.int(), helm_charts: z.int(), apps: z.int() }),
  started_at: nullableTime,
  finished_at: nullableTime,
  duration_seconds: nullableNumber,
  ingested_at: Timestamp,
  processing_status: z.literal('ready'),
  size_bytes: z.int(),
  ci: z.nullable(CiRecord),
  /** The report exactly as uploaded, on request. */
  report: z.optional(z.unknown()),
  /** An extension, with `report`: what ran, in a form that an upload of the same report can include. */
  inventory: z.optional(Inventory),
})
export type Run = z.infer<typeof Run>

/** Scope of the second scan that the first lacks, and vice versa. */
export const ScopeChanges = z.object({
  namespaces_excluded: texts,
  namespaces_included: texts,
  checks_removed: texts,
  checks_added: texts,
})
export type ScopeChanges = z.infer<typeof ScopeChanges>

/**
 * In `new_findings` and `resolved_findings`; `count_delta` is present if both runs have the finding with different counts.
 */
export const CountedFinding = z.extend(Finding, { count_delta: optionalInt })

/** Texts of a finding in one run. */
export const FindingState = z.object({
  message: z.string(),
  value: nullableText,
  /** Number of pods, runs, nodes or reports with the finding; present if it changed. */
  count: optionalInt,
  /** With `count`: how many pods, runs or nodes its workload has, if known. */
  of: optionalInt,
})
export type FindingState = z.infer<typeof FindingState>

/** A finding whose state changed: neither new nor resolved. */
export const ChangedFinding = z.extend(Finding, { from: FindingState, to: FindingState })
export type ChangedFinding = z.infer<typeof ChangedFinding>

/** A finding that was open and is now suppressed in the cluster. */
export const SuppressedFinding = z.extend(Finding, { reason: nullableText, until: nullableText })
export type SuppressedFinding = z.infer<typeof SuppressedFinding>

/** Findings of one check that cannot be compared, for one reason. */
export const IncomparableFindings = z.object({
  reason: z.enum([
    'check_not_run',
    'check_not_in_scope',
    'check_withdrawn',
    'subject_not_in_run',
    'part_not_in_run',
    'namespace_not_in_scope',
    'another_scanner',
    'not_listed',
    'report_missing',
    'another_check',
    'takes_turns',
  ]),
  check_id: z.string(),
  check_name: z.string(),
  count: z.int(),
  /** Why the check did not run. */
  detail: optionalText,
})
export type IncomparableFindings = z.infer<typeof IncomparableFindings>

/** A workload that is gone, and the one in its place, with how many of its findings. */
export const RenamedWorkload = z.object({
  namespace: z.string(),
  from: z.string(),
  to: z.string(),
  findings: z.int(),
  /** Nobody knows the images of both. */
  is_probable: optionalBoolean,
})
export type RenamedWorkload = z.infer<typeof RenamedWorkload>

/** A finding of such a workload in the later run, and the same under its former name. */
const RenamedFinding = z.extend(Finding, {
  renamed_from: z.object({ fingerprint: z.string(), resource: z.nullable(z.string()) }),
})
export type RenamedFinding = z.infer<typeof RenamedFinding>

export const Comparison = z.object({
  ...success,
  ...clusterPlace,
  from: Run,
  to: Run,
  /** An extension: the requested time, if `from` is the last run until then. */
  since: optionalTime,
  score_delta: nullableNumber,
  /** An extension, where only `to` has further checks: the change by the checks of both. */
  common_score_delta: z.optional(z.number()),
  new_findings: z.array(CountedFinding),
  resolved_findings: z.array(CountedFinding),
  /**
   * `previous_severity` is present if the finding was in both runs and its severity rose; `from` and `to` if its state got
   * worse.
   */
  regressed_findings: z.array(
    z.extend(Finding, {
      previous_severity: z.optional(FindingSeverity),
      from: z.optional(FindingState),
      to: z.optional(FindingState),
    }),
  ),
  /** Extensions. */
  changed_findings: z.optional(z.array(ChangedFinding)),
  changed_findings_count: optionalInt,
  suppressed_findings: z.optional(z.array(SuppressedFinding)),
  suppressed_findings_count: optionalInt,
  /** New events in the later run, and the number that ended. No list above includes them. */
  event_findings: z.optional(z.array(Finding)),
  event_findings_count: optionalInt,
  ended_event_findings_count: optionalInt,
  /** Workloads with another name than in `from`. Their findings in both are in `renamed_findings` alone. */
  renamed_workloads: z.optional(z.array(RenamedWorkload)),
  renamed_findings: z.optional(z.array(RenamedFinding)),
  renamed_findings_count: optionalInt,
  /** `incomparable_findings_count` excludes findings of checks that alternate under one id. */
  incomparable_findings: z.optional(z.array(IncomparableFindings)),
  /**
   * Findings in checks and namespaces that `from` excluded: those that no run had before, and those that an older run had.
   * They also count as incomparable.
   */
  first_seen_findings: z.optional(z.array(Finding)),
  first_seen_findings_count: optionalInt,
  back_in_scope_findings: z.optional(z.array(Finding)),
  back_in_scope_findings_count: optionalInt,
  /** With `baseline` and `rule`: findings of `to` that the baseline of the rule held back. */
  held_findings: z.optional(z.array(Finding)),
  /** Findings that `to` did not look at, so they stay open. Those that `from` has also count as incomparable. */
  not_looked_at_findings: z.optional(z.array(Finding)),
  not_looked_at_findings_count: optionalInt,
  /** An extension: findings whose template has no pods now; they stay open. */
  at_rest_findings: z.optional(z.array(Finding)),
  at_rest_findings_count: optionalInt,
  /** Null if neither report lists risk paths. */
  risk_paths: z.optional(z.nullable(RiskPathChanges)),
  /** An extension; null if neither report assesses AKS Automatic. */
  aks_readiness: z.optional(z.nullable(ReadinessChange)),
  /** Other environments of the same cluster with runs; present if neither an environment nor a run was requested. */
  other_environments: optionalTexts,
  /** The runs are from two clusters, or two environments of one. `cluster_name` and `environment` are those of `to`. */
  across_clusters: optionalTrue,
  /** Number of new and regressed findings that exceptions cover. The lists and counts include them. */
  accepted_findings_count: optionalInt,
  new_findings_count: z.int(),
  resolved_findings_count: z.int(),
  regressed_findings_count: z.int(),
  unchanged_findings_count: z.int(),
  incomparable_findings_count: z.int(),
  scope_changes: ScopeChanges,
})
export type Comparison = z.infer<typeof Comparison>

export const TrendPoint = z.object({
  run_id: RunId,
  at: Timestamp,
  score: nullableNumber,
  failed_checks: z.int(),
  findings: z.int(),
  not_run_checks: optionalInt,
  /** Extensions: same as in a run. A score with gaps is compared only with scores of equal gaps. */
  scope_gaps: optionalInt,
  gaps_key: optionalText,
  /** An extension, present if requested by `checks`; null if the report lacks it, or for points beyond the limit. */
  aks_blockers: z.optional(nullableInt),
})
export type TrendPoint = z.infer<typeof TrendPoint>

/** Rows of a check in the run of each point: null if the check did not run, or for runs beyond the limit. */
export const CheckTrend = z.object({
  check_id: z.string(),
  check_name: z.string(),
  findings: z.array(nullableInt),
})
export type CheckTrend = z.infer<typeof CheckTrend>

/** An extension, present if requested by `checks`: checks whose number of rows changed, the largest change first. */
const changedChecks = z.optional(z.array(CheckTrend))

/** Trend of one scanner about one subject: other scores are not comparable. */
export const ClusterTrend = z.object({
  ...clusterPlace,
  /** An extension. */
  format: z.optional(ReportFormat),
  /** An extension: the image, folder, tool or benchmark that the scans are about. */
  subject: optionalText,
  points: z.array(TrendPoint),
  checks: changedChecks,
})
export type ClusterTrend = z.infer<typeof ClusterTrend>

export const Trends = z.union([
  z.object({
    ...success,
    ...clusterPlace,
    window_days: z.int(),
    /** An extension: the scanner of the points, which is that of the latest run. */
    format: z.optional(ReportFormat),
    /** An extension: as in `ClusterTrend`. */
    subject: optionalText,
    points: z.array(TrendPoint),
    checks: changedChecks,
    /** An extension: the points of the cluster's other scanners, latest first. */
    other_scanners: z.optional(z.array(ClusterTrend)),
    /** An extension: other environments of the same cluster with runs; present if none was requested. */
    other_environments: optionalTexts,
  }),
  z.object({ ...success, window_days: z.int(), clusters: z.array(ClusterTrend) }),
])
export type Trends = z.infer<typeof Trends>
