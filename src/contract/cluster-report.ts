import * as z from 'zod/mini'
import { withoutCredentials } from '../util/plain-address.ts'
import { reportFormats } from './choices.ts'
import { RunGate } from './gate-verdict.ts'
import { noNul, oneLine } from './patterns.ts'
import { AksReadiness, ReadinessChange, RiskPath, RiskPathChanges } from './risk-path.ts'
import { Finding, FindingCounts, FindingSeverity, ReportFormat, RunId } from './scan-finding.ts'
import { documented, freeText, Timestamp, text, timeIn } from './shape.ts'

/** An address, or a name. CI systems put their tokens in addresses: these are dropped. */
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
})

/** Known fields only, as returned. */
const CiRecord = z.object({
  provider: z.optional(z.string()),
  repository: z.optional(z.string()),
  commit: z.optional(z.string()),
  branch: z.optional(z.string()),
  build_url: z.optional(z.string()),
})

const artifactText = z.nullish(freeText(2000))
/** Without credentials, as above. */
const artifactAddress = z.nullish(
  documented(z.pipe(z.string().check(z.maxLength(2000)), z.transform(withoutCredentials)), {
    ...{ type: 'string', maxLength: 2000, pattern: noNul },
  }),
)
const flags = { served: z.nullish(z.boolean()), storage: z.nullish(z.boolean()), deprecated: z.nullish(z.boolean()) }
const workload = { namespace: artifactText, workloadKind: artifactText, workloadName: artifactText }
const artifactRows = <T extends z.core.$ZodShape>(shape: T, most = 50_000) =>
  z.nullish(z.array(z.object(shape)).check(z.maxLength(most)))

/** An extension: what runs in the cluster, in the shape of a report's own `artifacts`; used where the report has none. */
export const Inventory = z.object({
  images: artifactRows({
    ...workload,
    fullRef: artifactText,
    helmChartName: artifactText,
    helmReleaseName: artifactText,
  }),
  helmCharts: artifactRows({
    ...workload,
    name: artifactText,
    version: artifactText,
    releaseName: artifactText,
    releaseNamespace: artifactText,
  }),
  apps: artifactRows({ name: artifactText, version: artifactText, namespace: artifactText }),
  /** Pods, and what is between them and what a person edits, each with its controller. */
  owners: artifactRows(
    {
      ...{ namespace: artifactText, kind: artifactText, name: artifactText },
      ...{ ownerKind: artifactText, ownerName: artifactText },
    },
    200_000,
  ),
  /** An extension: owners named by labels of workloads or, in rows without a workload, of namespaces. */
  ownerLabels: artifactRows({
    ...{ namespace: artifactText, workloadKind: artifactText, workloadName: artifactText, owner: artifactText },
  }),
  /** An extension: as the nodes say in `nodeInfo`, and the offering that their labels name, such as `aks`. */
  nodes: artifactRows({
    ...{ name: artifactText, osImage: artifactText, kernelVersion: artifactText },
    ...{ containerRuntimeVersion: artifactText, kubeletVersion: artifactText, offering: artifactText },
  }),
  /** An extension: charts that Argo CD, Flux or k3s are asked to install. */
  wanted: artifactRows({
    ...{ tool: artifactText, kind: artifactText, namespace: artifactText, name: artifactText },
    ...{ chart: artifactText, version: artifactText, repository: artifactAddress, running: artifactText },
    ...{ releaseName: artifactText, releaseNamespace: artifactText },
  }),
  /** An extension: API versions in use, besides those under which the inventory listed objects. */
  apis: artifactRows({
    ...{ group: artifactText, version: artifactText, kind: artifactText, by: artifactText },
    users: z.nullish(z.array(freeText(2000)).check(z.maxLength(20))),
    count: z.nullish(z.int().check(z.gte(0), z.lte(1_000_000_000))),
  }),
  /** An extension: CustomResourceDefinitions, each with what it says of its project and a controller that may serve it. */
  customResources: artifactRows(
    {
      ...{ name: artifactText, group: artifactText, kind: artifactText },
      versions: z.nullish(z.array(z.object({ name: artifactText, ...flags })).check(z.maxLength(100))),
      stored: z.nullish(z.array(freeText(2000)).check(z.maxLength(100))),
      ...{ version: artifactText, versionFrom: artifactText, chartName: artifactText, chartVersion: artifactText },
      ...{ releaseName: artifactText, releaseNamespace: artifactText, appliedBy: artifactText },
      ...{ controller: artifactText, controllerVersion: artifactText },
    },
    5000,
  ),
  /** An extension: clusters of the fleet, where the cluster is a hub that has ClusterProfiles. */
  clusterProfiles: artifactRows(
    {
      ...{ namespace: artifactText, name: artifactText, displayName: artifactText, manager: artifactText },
      ...{ kubernetesVersion: artifactText, healthy: z.nullish(z.boolean()) },
      labels: z.nullish(z.array(freeText(2000)).check(z.maxLength(100))),
    },
    5000,
  ),
  /** An extension: sources that could not be read, such as `nodes`, with the reason. */
  unread: artifactRows({ source: artifactText, reason: artifactText }, 100),
  /** Why not all that runs is in it, a sentence each. */
  gaps: z.nullish(z.array(freeText(2000)).check(z.maxLength(100))),
})
export type Inventory = z.input<typeof Inventory>

/** The members of an upload around the report. The report itself travels as text: see `ReportUpload`. */
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
  /** An extension: the scanner of the report. `auto`, the default, recognises it. */
  format: z.nullish(z.enum(['auto', ...reportFormats])),
  artifacts: z.nullish(Inventory),
  /** An extension: store a report without checks and results, which is refused otherwise. */
  allow_empty: z.nullish(z.boolean()),
})
export type ReportEnvelope = z.input<typeof ReportEnvelope>

/**
 * Extensions: `environments` are all of the cluster that have runs; without `environment` runs of each are listed.
 * `run_id_prefix` and `latest` are the parameters, so that a client knows that they were used.
 */
export const runPageFields = {
  environments: z.optional(z.array(z.string())),
  run_id_prefix: z.optional(z.string()),
  latest: z.optional(z.literal(true)),
}

export const UploadResult = z.object({
  success: z.literal(true),
  run_id: RunId,
  ingested_at: Timestamp,
  processing_status: z.literal('ready'),
  /** An extension: checks that are in the report and did not run. */
  not_run_checks: z.optional(z.int()),
  /** Present when this report was already there; `run_id` is then the first run's. */
  duplicate: z.optional(z.literal(true)),
  /** An extension: what the report has and the run leaves out, a sentence each. */
  warnings: z.optional(z.array(z.string())),
})
export type UploadResult = z.infer<typeof UploadResult>

/** An extension: a check that did not run says nothing about what it looks for. */
export const CheckNotRun = z.object({ check_id: z.string(), name: z.string(), reason: z.string() })
export type CheckNotRun = z.infer<typeof CheckNotRun>

export const CheckAdvice = z.object({
  check_id: z.string(),
  recommendation: z.nullable(z.string()),
  url: z.nullable(z.string()),
})
export type CheckAdvice = z.infer<typeof CheckAdvice>

/**
 * An extension: what scans of the cluster by this scanner are expected to look at, and what a run lacks of it. It begins with
 * the first scan, grows with later ones, and loses something only when somebody accepts the scope of a run.
 */
export const AcceptedScope = z.object({
  /** The run whose scope was accepted, when, by which login, and why; all null while nobody has accepted one. */
  run_id: z.nullable(RunId),
  accepted_at: z.nullable(Timestamp),
  accepted_by: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** How many checks it has; null for a scanner that lists only what failed. */
  checks: z.nullable(z.int()),
  /** In the accepted scope, and not in this run. */
  missing_checks: z.array(z.string()),
  missing_namespaces: z.array(z.string()),
  /** Kinds of an operator's reports. */
  missing_kinds: z.array(z.string()),
})
export type AcceptedScope = z.infer<typeof AcceptedScope>

/** Why the scope is another one from now on. */
export const AcceptScope = z.object({ reason: z.optional(freeText(1000)) })
export type AcceptScope = z.infer<typeof AcceptScope>

export const ScopeAcceptance = z.object({
  success: z.literal(true),
  run_id: RunId,
  cluster_name: z.string(),
  environment: z.string(),
  format: ReportFormat,
  accepted_at: Timestamp,
  accepted_by: z.string(),
  reason: z.nullable(z.string()),
  /** What was expected until now, and is no longer. */
  dropped_checks: z.array(z.string()),
  dropped_namespaces: z.array(z.string()),
  dropped_kinds: z.array(z.string()),
})
export type ScopeAcceptance = z.infer<typeof ScopeAcceptance>

export const Run = z.object({
  run_id: RunId,
  cluster_name: z.string(),
  environment: z.string(),
  provider: z.nullable(z.string()),
  region: z.nullable(z.string()),
  source: z.nullable(z.string()),
  source_version: z.nullable(z.string()),
  kubernetes_version: z.nullable(z.string()),
  /** 0–100; null when the report carries none. */
  score: z.nullable(z.number()),
  /** An extension: origin of the score. `computed` means relt's own formula, for a scanner without a score. */
  score_source: z.nullable(z.enum(['scanner', 'computed'])),
  /** An extension: whose report it is. Runs of different scanners are not compared. */
  format: ReportFormat,
  total_checks: z.int(),
  failed_checks: z.int(),
  /** Checks that ran and found nothing. */
  passed_checks: z.int(),
  /** An extension: the report has neither checks nor results, and was stored because of `allow_empty`. */
  is_empty: z.optional(z.boolean()),
  /** An extension: the scanner looked for vulnerabilities of packages, so that one that is not listed was not found. */
  vulnerability_scan: z.optional(z.boolean()),
  /** An extension: how many checks, namespaces and kinds of the accepted scope it lacked when it came; 0 once its scope is accepted. */
  scope_gaps: z.optional(z.int()),
  /** An extension: equal for runs whose scores leave out the same checks and namespaces, under the same accepted scope. */
  gaps_key: z.optional(z.string()),
  /** An extension: checks that are in the report and did not run. */
  not_run_checks: z.optional(z.int()),
  /** An extension: which these are; only where a single run is asked for. */
  checks_not_run: z.optional(z.array(CheckNotRun)),
  /** Extensions, only where a single run is asked for: checks that the scanner's run before lacked, and those that only it had. */
  first_seen_checks: z.optional(z.nullable(z.array(z.string()))),
  missing_checks: z.optional(z.nullable(z.array(z.string()))),
  accepted_scope: z.optional(z.nullable(AcceptedScope)),
  /** Extensions, only where a single run is asked for: how to fix the findings of a check, as the report says it. */
  guidance: z.optional(z.array(CheckAdvice)),
  /** Null: the report does not list risk paths. */
  risk_paths: z.optional(z.nullable(z.array(RiskPath))),
  /** Null: the report does not say. */
  aks_readiness: z.optional(z.nullable(AksReadiness)),
  /** An extension: what gates decided; null: none has judged the run. */
  gate: z.optional(z.nullable(RunGate)),
  findings: FindingCounts,
  /** An extension: findings that an annotation in the cluster or an exception of the scanner suppresses. */
  suppressed_findings: z.optional(z.int()),
  /** An extension: how many different findings exceptions accept now; `findings` has them all the same. Only of a single run. */
  accepted_findings: z.optional(z.int()),
  artifacts: z.object({ images: z.int(), helm_charts: z.int(), apps: z.int() }),
  started_at: z.nullable(Timestamp),
  finished_at: z.nullable(Timestamp),
  duration_seconds: z.nullable(z.number()),
  ingested_at: Timestamp,
  processing_status: z.literal('ready'),
  size_bytes: z.int(),
  ci: z.nullable(CiRecord),
  /** Exactly as uploaded, if asked for. */
  report: z.optional(z.unknown()),
  /** An extension, with `report`: what ran, as an upload of the same report can carry it. */
  inventory: z.optional(Inventory),
})
export type Run = z.infer<typeof Run>

/** Scope of the second scan that the first lacks, and vice versa. */
export const ScopeChanges = z.object({
  namespaces_excluded: z.array(z.string()),
  namespaces_included: z.array(z.string()),
  checks_removed: z.array(z.string()),
  checks_added: z.array(z.string()),
})
export type ScopeChanges = z.infer<typeof ScopeChanges>

/** In `new_findings` and `resolved_findings`; `count_delta` is there when both runs have the finding and its count moved. */
export const CountedFinding = z.extend(Finding, { count_delta: z.optional(z.int()) })

/** Texts of a finding. */
export const FindingState = z.object({
  message: z.string(),
  value: z.nullable(z.string()),
  /** How many pods, runs, machines or reports show it; there when this moved. */
  count: z.optional(z.int()),
})
export type FindingState = z.infer<typeof FindingState>

/** The same finding in another state: neither new nor resolved. */
export const ChangedFinding = z.extend(Finding, { from: FindingState, to: FindingState })
export type ChangedFinding = z.infer<typeof ChangedFinding>

/** A finding that was open and is suppressed in the cluster now. */
export const SuppressedFinding = z.extend(Finding, { reason: z.nullable(z.string()), until: z.nullable(z.string()) })
export type SuppressedFinding = z.infer<typeof SuppressedFinding>

/** Findings of one check that cannot be compared, by the reason. */
export const IncomparableFindings = z.object({
  reason: z.enum([
    'check_not_run',
    'check_not_in_scope',
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
  detail: z.optional(z.string()),
})
export type IncomparableFindings = z.infer<typeof IncomparableFindings>

/** A workload that is gone, and another in its namespace that has all of its findings: probably the same. */
export const RenamedWorkload = z.object({ namespace: z.string(), from: z.string(), to: z.string(), findings: z.int() })
export type RenamedWorkload = z.infer<typeof RenamedWorkload>

export const Comparison = z.object({
  success: z.literal(true),
  cluster_name: z.string(),
  environment: z.string(),
  from: Run,
  to: Run,
  score_delta: z.nullable(z.number()),
  /** An extension: both scores rest on the same checks and namespaces, so a rise is progress. */
  score_comparable: z.optional(z.boolean()),
  new_findings: z.array(CountedFinding),
  resolved_findings: z.array(CountedFinding),
  /** `previous_severity` is there when the finding was in both runs and its severity rose; `from` and `to` when its state got worse. */
  regressed_findings: z.array(
    z.extend(Finding, {
      previous_severity: z.optional(FindingSeverity),
      from: z.optional(FindingState),
      to: z.optional(FindingState),
    }),
  ),
  /** Extensions. */
  changed_findings: z.optional(z.array(ChangedFinding)),
  changed_findings_count: z.optional(z.int()),
  suppressed_findings: z.optional(z.array(SuppressedFinding)),
  suppressed_findings_count: z.optional(z.int()),
  /** Events of the later run that the earlier one lacks, and how many are over. They are in none of the lists above. */
  event_findings: z.optional(z.array(Finding)),
  event_findings_count: z.optional(z.int()),
  ended_event_findings_count: z.optional(z.int()),
  /** Workloads that were probably renamed. Their findings are in the lists all the same. */
  renamed_workloads: z.optional(z.array(RenamedWorkload)),
  /** `incomparable_findings_count` leaves out those that take turns. */
  incomparable_findings: z.optional(z.array(IncomparableFindings)),
  /**
   * In checks and namespaces that `from` left out of its scope: findings that no run had before, and those that an older run
   * had. They count as incomparable, too.
   */
  first_seen_findings: z.optional(z.array(Finding)),
  first_seen_findings_count: z.optional(z.int()),
  back_in_scope_findings: z.optional(z.array(Finding)),
  back_in_scope_findings_count: z.optional(z.int()),
  /** Null: neither report lists risk paths. */
  risk_paths: z.optional(z.nullable(RiskPathChanges)),
  /** An extension; null: neither report says anything of AKS Automatic. */
  aks_readiness: z.optional(z.nullable(ReadinessChange)),
  /** Other environments of the same cluster that have runs; there when neither an environment nor a run was asked for. */
  other_environments: z.optional(z.array(z.string())),
  /** The runs are of two clusters, or of two environments of one. `cluster_name` and `environment` are those of `to`. */
  across_clusters: z.optional(z.literal(true)),
  /** New and regressed findings that exceptions accept. They are in the lists and counts of the interface all the same. */
  accepted_findings_count: z.optional(z.int()),
  new_findings_count: z.int(),
  resolved_findings_count: z.int(),
  regressed_findings_count: z.int(),
  unchanged_findings_count: z.int(),
  incomparable_findings_count: z.int(),
  scope_changes: ScopeChanges,
})
export type Comparison = z.infer<typeof Comparison>

/** Summed over what runs and is behind the releases that were out at that time. */
export const Debt = z.object({
  artifacts_behind: z.int(),
  releases_behind: z.int(),
  days_behind: z.int(),
  security_fixes_behind: z.int(),
})
export type Debt = z.infer<typeof Debt>

export const TrendPoint = z.object({
  run_id: RunId,
  at: Timestamp,
  score: z.nullable(z.number()),
  failed_checks: z.int(),
  findings: z.int(),
  not_run_checks: z.optional(z.int()),
  /** Extensions: as those of a run. A score with gaps is compared only with scores of the same gaps. */
  scope_gaps: z.optional(z.int()),
  gaps_key: z.optional(z.string()),
  /** An extension, there when asked for by `checks`; null where the report does not say, or the point is one of too many. */
  aks_blockers: z.optional(z.nullable(z.int())),
  /** An extension, there when asked for by `debt`; null where a point is one of too many. */
  debt: z.optional(z.nullable(Debt)),
})
export type TrendPoint = z.infer<typeof TrendPoint>

/** Rows of a check in each point's run: null where the check did not run, or the run is one of too many. */
export const CheckTrend = z.object({
  check_id: z.string(),
  check_name: z.string(),
  findings: z.array(z.nullable(z.int())),
})
export type CheckTrend = z.infer<typeof CheckTrend>

/** An extension, there when asked for by `checks`: those whose number of rows changed, the largest change first. */
const changedChecks = z.optional(z.array(CheckTrend))

/** Of one scanner: scores of two are no trend. */
export const ClusterTrend = z.object({
  cluster_name: z.string(),
  environment: z.string(),
  /** An extension. */
  format: z.optional(ReportFormat),
  points: z.array(TrendPoint),
  checks: changedChecks,
})
export type ClusterTrend = z.infer<typeof ClusterTrend>

export const Trends = z.union([
  z.object({
    success: z.literal(true),
    cluster_name: z.string(),
    environment: z.string(),
    window_days: z.int(),
    /** An extension: the scanner of the latest run, whose points these are. */
    format: z.optional(ReportFormat),
    points: z.array(TrendPoint),
    checks: changedChecks,
    /** An extension: the points of the cluster's other scanners, the latest first. */
    other_scanners: z.optional(z.array(ClusterTrend)),
    /** An extension: other environments of the same cluster that have runs; there when none was asked for. */
    other_environments: z.optional(z.array(z.string())),
  }),
  z.object({ success: z.literal(true), window_days: z.int(), clusters: z.array(ClusterTrend) }),
])
export type Trends = z.infer<typeof Trends>
