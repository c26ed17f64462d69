import * as z from 'zod/mini'
import { findingSeverities, freshnessStatuses, reportFormats } from './choices.ts'
import { RunGate } from './gate-verdict.ts'
import { AksReadiness, RiskPath, RiskPathChanges } from './risk-path.ts'
import { freeText, Id, Severity, Timestamp, text, timeIn } from './shape.ts'

export const RunId = z.string().check(z.regex(/^crun_[A-Za-z0-9-]{1,64}$/))

export const FindingSeverity = z.enum(findingSeverities)
export type FindingSeverity = z.infer<typeof FindingSeverity>

/** The scanners whose reports are taken. */
export const ReportFormat = z.enum(reportFormats)
export type ReportFormat = z.infer<typeof ReportFormat>

export const Ci = z.object({
  provider: z.nullish(text(100)),
  repository: z.nullish(text(500)),
  commit: z.nullish(text(100)),
  branch: z.nullish(text(300)),
  build_url: z.nullish(text(1000)),
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
const workload = { namespace: artifactText, workloadKind: artifactText, workloadName: artifactText }
const artifactRows = <T extends z.core.$ZodShape>(shape: T) =>
  z.nullish(z.array(z.object(shape)).check(z.maxLength(50_000)))

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

export const FindingCounts = z.object({
  total: z.int(),
  critical: z.int(),
  high: z.int(),
  medium: z.int(),
  low: z.int(),
  info: z.int(),
})
export type FindingCounts = z.infer<typeof FindingCounts>

/** An extension: a check that did not run says nothing about what it looks for. */
export const CheckNotRun = z.object({ check_id: z.string(), name: z.string(), reason: z.string() })
export type CheckNotRun = z.infer<typeof CheckNotRun>

export const CheckAdvice = z.object({
  check_id: z.string(),
  recommendation: z.nullable(z.string()),
  url: z.nullable(z.string()),
})
export type CheckAdvice = z.infer<typeof CheckAdvice>

/** An extension: how much of what runs an answer rests on. Times are days or timestamps; null means none. */
export const Coverage = z.object({
  /** Images, charts and apps of the run; Kubernetes itself is not counted. */
  artifacts: z.int(),
  /** Number of these whose project and version the catalog knows. */
  known: z.int(),
  /** Number of these that are components of a managed offering itself, with nothing to compare; absent when 0. */
  managed: z.optional(z.int()),
  /** Number of running projects with security facts in the catalog. */
  security_known: z.int(),
  /** Projects that are known to run. */
  projects: z.int(),
  /** Day of the catalog's oldest facts about what runs. */
  catalog_at: z.nullable(z.string()),
  /** Day of the oldest security facts about what runs. */
  security_facts_at: z.nullable(z.string()),
  /** Of the artifacts, those whose version could be compared with advisories about their project. */
  advisories_known: z.optional(z.int()),
  /** Day of the oldest advisories about what runs. */
  advisory_facts_at: z.optional(z.nullable(z.string())),
})
export type Coverage = z.infer<typeof Coverage>

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
  /** An extension: the report shows nothing that was looked at. It was stored since `allow_empty` said so. */
  is_empty: z.optional(z.boolean()),
  /** An extension: checks that are in the report and did not run. */
  not_run_checks: z.optional(z.int()),
  /** An extension: which these are; only where a single run is asked for. */
  checks_not_run: z.optional(z.array(CheckNotRun)),
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
  artifacts: z.object({ images: z.int(), helm_charts: z.int(), apps: z.int() }),
  started_at: z.nullable(Timestamp),
  finished_at: z.nullable(Timestamp),
  duration_seconds: z.nullable(z.number()),
  ingested_at: Timestamp,
  processing_status: z.literal('ready'),
  size_bytes: z.int(),
  ci: z.nullable(CiRecord),
  report: z.optional(z.unknown()),
})
export type Run = z.infer<typeof Run>

export const Finding = z.object({
  fingerprint: z.string(),
  check_id: z.string(),
  check_name: z.string(),
  category: z.string(),
  severity: FindingSeverity,
  namespace: z.nullable(z.string()),
  resource: z.nullable(z.string()),
  message: z.string(),
  value: z.nullable(z.string()),
  /** An extension: equal rows of one run, such as replicas or the machines of a pool. */
  count: z.optional(z.int()),
})
export type Finding = z.infer<typeof Finding>

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
export const FindingState = z.object({ message: z.string(), value: z.nullable(z.string()) })

/** The same finding in another state: neither new nor resolved. */
export const ChangedFinding = z.extend(Finding, { from: FindingState, to: FindingState })
export type ChangedFinding = z.infer<typeof ChangedFinding>

/** A finding that was open and is suppressed in the cluster now. */
export const SuppressedFinding = z.extend(Finding, { reason: z.nullable(z.string()), until: z.nullable(z.string()) })
export type SuppressedFinding = z.infer<typeof SuppressedFinding>

/** Findings of one check that cannot be compared, by the reason. */
export const IncomparableFindings = z.object({
  reason: z.enum(['check_not_run', 'check_not_in_scope', 'namespace_not_in_scope', 'another_scanner', 'not_listed']),
  check_id: z.string(),
  check_name: z.string(),
  count: z.int(),
  /** Why the check did not run. */
  detail: z.optional(z.string()),
})
export type IncomparableFindings = z.infer<typeof IncomparableFindings>

export const Comparison = z.object({
  success: z.literal(true),
  cluster_name: z.string(),
  environment: z.string(),
  from: Run,
  to: Run,
  score_delta: z.nullable(z.number()),
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
  incomparable_findings: z.optional(z.array(IncomparableFindings)),
  /** Null: neither report lists risk paths. */
  risk_paths: z.optional(z.nullable(RiskPathChanges)),
  /** Other environments of the same cluster that have runs; there when neither an environment nor a run was asked for. */
  other_environments: z.optional(z.array(z.string())),
  /** The runs are of two clusters, or of two environments of one. `cluster_name` and `environment` are those of `to`. */
  across_clusters: z.optional(z.literal(true)),
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

export const ClusterTrend = z.object({
  cluster_name: z.string(),
  environment: z.string(),
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
    points: z.array(TrendPoint),
    checks: changedChecks,
    /** An extension: other environments of the same cluster that have runs; there when none was asked for. */
    other_environments: z.optional(z.array(z.string())),
  }),
  z.object({ success: z.literal(true), window_days: z.int(), clusters: z.array(ClusterTrend) }),
])
export type Trends = z.infer<typeof Trends>

export const FreshnessStatus = z.enum(freshnessStatuses)
export type FreshnessStatus = z.infer<typeof FreshnessStatus>

/** One project that could be the artifact's, and why it was taken or not. */
export const FreshnessCandidate = z.object({
  product_id: Id,
  name: z.string(),
  matched_by: z.enum(['repository', 'mirror', 'chart', 'name']),
  taken: z.boolean(),
  confidence: z.number(),
  reason: z.string(),
})
export type FreshnessCandidate = z.infer<typeof FreshnessCandidate>

/** The release cycle that a version belongs to, and the end of its support. */
export const Eol = z.object({
  cycle: z.string(),
  /** The last day of support; null if unknown. */
  date: z.nullable(z.string()),
  is_eol: z.boolean(),
  is_lts: z.optional(z.boolean()),
  /** The last release of the cycle by endoflife.date, where it is known. */
  latest: z.optional(z.string()),
})
export type Eol = z.infer<typeof Eol>

/** The versions from `introduced` (`0`: the beginning) to before `fixed`, to `last_affected`, or without end. */
export const AffectedRange = z.object({
  introduced: z.string(),
  fixed: z.nullable(z.string()),
  last_affected: z.nullable(z.string()),
})
export type AffectedRange = z.infer<typeof AffectedRange>

/** Source that names an advisory of an image: the catalog by the project's release, or Trivy by a package inside. */
const AdvisoryWitness = z.enum(['catalog', 'trivy'])

/** An advisory about a project's own releases that affects a running version. */
export const RunningAdvisory = z.object({
  /** A CVE, else a GHSA, else the id of the database that has it. */
  id: z.string(),
  aliases: z.array(z.string()),
  /** Null: no database rates it. */
  severity: z.nullable(Severity),
  /** CVSS base score. */
  score: z.nullable(z.number()),
  /** `YYYY-MM-DD`; null where no database says. */
  published: z.nullable(z.string()),
  /** The first version that the advisory names as free of it. */
  fixed_in: z.nullable(z.string()),
  /** First release of the running line that this advisory does not affect. */
  fixed_in_line: z.nullable(z.string()),
  /** Only when asked for by `explain`. */
  ranges: z.optional(z.array(AffectedRange)),
  /** Only of images that the cluster's latest Trivy report lists: which of the two names the advisory. */
  seen_by: z.optional(z.array(AdvisoryWitness)),
})
export type RunningAdvisory = z.infer<typeof RunningAdvisory>

/** An advisory whose ranges cannot be compared with the running version. */
export const UndecidedAdvisory = z.object({
  ...z.pick(RunningAdvisory, { id: true, aliases: true, severity: true }).shape,
  /** Why, as a clause. */
  reason: z.string(),
  /** Set if the cluster's latest Trivy report lists it about the image. */
  seen_by: z.optional(z.array(AdvisoryWitness)),
})
export type UndecidedAdvisory = z.infer<typeof UndecidedAdvisory>

export const FreshnessItem = z.object({
  artifact_type: z.enum(['image', 'helm_chart', 'app', 'kubernetes']),
  /** Normalised identity: `docker.io/library/nginx:1.27.3`, `argo-cd@7.3.4`, `kubernetes@v1.33.6`. */
  artifact_key: z.string(),
  /** As people write it: `nginx:1.27.3`. */
  display_name: z.string(),
  /** Null when it runs in several namespaces, or in none. */
  namespace: z.nullable(z.string()),
  /** `namespace/kind/name`, sorted. */
  workloads: z.array(z.string()),
  /** Its origin in the scan: inventory, finding, or the cluster's own data. */
  source: z.enum(['artifacts', 'findings', 'metadata']),
  source_product_id: z.nullable(Id),
  source_product_slug: z.nullable(z.string()),
  /** A catalog project follows the releases of this artifact. */
  is_monitored: z.boolean(),
  current_version: z.nullable(z.string()),
  /** Newest stable version of the same tag family, written in its form. */
  latest_version: z.nullable(z.string()),
  /** Newest stable version of the project, whatever the tag family. */
  global_latest_version: z.nullable(z.string()),
  /** Newest stable version of the line that runs now (same first two segments); null when that is the current one. */
  same_line_version: z.nullable(z.string()),
  status: FreshnessStatus,
  /** 0 to 1: how sure the status is. */
  confidence: z.number().check(z.gte(0), z.lte(1)),
  reason: z.string(),
  recommendation: z.string(),
  /** `exact`: a full version; `line`: a floating tag such as `7` or `3.19`; `none`: nothing to compare. */
  compare_mode: z.enum(['exact', 'line', 'none']),
  /** The chart that installed the image decides its version. */
  inherited_from_helm: z.boolean(),
  releases_behind: z.nullable(z.int()),
  /** An extension: the catalog's history does not reach back to the running version, so there may be more. */
  releases_behind_at_least: z.optional(z.boolean()),
  days_behind: z.nullable(z.int()),
  security_fixes_between: z.int(),
  highest_severity_between: Severity,
  /** Extensions. The worst first; empty also where `advisories_count` is null. */
  advisories: z.array(RunningAdvisory),
  /** Null: the catalog has no advisories of the project, or the version cannot be compared with them. */
  advisories_count: z.nullable(z.int()),
  /** `none` where no advisory affects it; null where none is rated, or none is known. */
  highest_advisory_severity: z.nullable(Severity),
  /** Advisories whose ranges cannot be compared with the version. */
  advisories_undecided: z.int(),
  /** The worst of these; null where one of them is not rated. */
  highest_undecided_severity: z.nullable(Severity),
  /** Those, when asked for by `explain`. */
  undecided_advisories: z.optional(z.array(UndecidedAdvisory)),
  /** First release of the running line that no advisory affects; null when there is none, or no need of one. */
  fixed_in_line: z.nullable(z.string()),
  /** The same, else the first of a later line. */
  fixed_in: z.nullable(z.string()),
  /**
   * An extension, of images in the latest Trivy report of the cluster: how many advisories it lists about the image and the
   * packages inside, and how many of these are among the item's own.
   */
  scanned: z.optional(
    z.object({
      scanner: z.literal('trivy'),
      run_id: RunId,
      seen_at: Timestamp,
      advisories: z.int(),
      shared: z.int(),
    }),
  ),
  /** An extension, of versions whose release cycle is known. */
  eol: z.optional(Eol),
  /** An extension: the project's version in a vendor's tag, `1.13.1` of `v1.13.1-20`. */
  upstream_version: z.optional(z.string()),
  /** An extension: the managed offering or distribution that runs the artifact by itself, as `aks`. */
  managed_by: z.optional(z.string()),
  /** An extension: true for a component of that offering itself. Its status is `unknown`. */
  vendor_component: z.optional(z.boolean()),
  /** Day of what is known of its releases. */
  catalog_date: z.optional(z.string()),
  /** Only when asked for by `explain`. */
  candidates: z.optional(z.array(FreshnessCandidate)),
})
export type FreshnessItem = z.infer<typeof FreshnessItem>

export const Freshness = z.object({
  success: z.literal(true),
  run_id: RunId,
  processing_status: z.literal('ready'),
  /** Day on which the catalog's facts were gathered. */
  catalog_date: z.string(),
  summary: z.object({
    up_to_date: z.int(),
    minor_behind: z.int(),
    major_behind: z.int(),
    unknown: z.int(),
    /** An extension: components of a managed offering itself. They do not count as unknown; absent when there are none. */
    managed: z.optional(z.int()),
  }),
  /** An extension. */
  coverage: z.optional(Coverage),
  items: z.array(FreshnessItem),
})
export type Freshness = z.infer<typeof Freshness>
