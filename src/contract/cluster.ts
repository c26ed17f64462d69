import * as z from 'zod/mini'
import { clusterAttention, clusterOrders } from './choices.ts'
import { FreshnessItem, FreshnessStatus } from './freshness.ts'
import { RunGate } from './gate-verdict.ts'
import { FindingCounts, ReportFormat, RunId } from './scan-finding.ts'
import {
  clusterPlace,
  documented,
  Id,
  newsTime,
  nullableInt,
  nullableNumber,
  nullableText,
  nullableTime,
  optionalInt,
  optionalText,
  optionalTime,
  requiredText,
  success,
  Timestamp,
  texts,
} from './shape.ts'
import { ArtifactState, Step } from './step.ts'

/** Everything in this file is an extension. */

const ClusterId = z.string().check(z.regex(/^clus_[A-Za-z0-9-]{1,64}$/))
/** Reasons why a cluster needs attention. */
export const Attention = z.enum(clusterAttention)
export type Attention = z.infer<typeof Attention>
export const ClusterOrder = z.enum(clusterOrders)
export type ClusterOrder = z.infer<typeof ClusterOrder>

/** Changes in the latest run of a scanner since the time of `news`, whatever runs came between. */
export const ClusterChanges = z.object({
  /** Number of new and regressed findings that exceptions cover; the other figures exclude them. */
  accepted_findings: optionalInt,
  new_findings: z.int(),
  new_critical: z.int(),
  new_high: z.int(),
  regressed_findings: z.int(),
  regressed_critical: z.int(),
  regressed_high: z.int(),
  resolved_findings: z.int(),
})
export type ClusterChanges = z.infer<typeof ClusterChanges>

/** Freshness of the artifacts in the latest run with an inventory. */
export const ClusterFreshness = z.object({
  /** The run with the inventory. */
  run_id: z.optional(RunId),
  /** Number of images, charts and apps; 0 if no run lists any. */
  artifacts: z.int(),
  /** Number of artifacts with known project and version. */
  known: z.int(),
  minor_behind: z.int(),
  major_behind: z.int(),
  /** Number of artifacts that an advisory affects. */
  affected: z.int(),
  affected_critical: z.int(),
  affected_high: z.int(),
  /** Number of artifacts that are malicious, that have an exploited vulnerability, and whose project is retired. */
  compromised: optionalInt,
  exploited: optionalInt,
  retired: optionalInt,
  /** Number of versions whose support has ended, and of those whose support ends within 90 days. */
  ended: z.int(),
  ending: z.int(),
  /** False if the catalog has changed since. */
  is_current: z.boolean(),
  /** Day of the oldest facts about releases of running projects, `YYYY-MM-DD`. */
  catalog_date: optionalText,
})
export type ClusterFreshness = z.infer<typeof ClusterFreshness>

const LatestRun = z.object({
  run_id: RunId,
  format: ReportFormat,
  score: nullableNumber,
  /** Null for a first run, and for scores by different formulas. */
  score_delta: nullableNumber,
  /** Both scores cover the same checks and namespaces; null without an earlier run. */
  findings: FindingCounts,
  total_checks: z.int(),
  failed_checks: z.int(),
  not_run_checks: z.int(),
  /** How many of them a known fault of the scanner prevents: see runs. */
  known_faults: optionalInt,
  /** Number of missing parts of the accepted scope: see runs. */
  scope_gaps: optionalInt,
  is_empty: z.boolean(),
})

const scannerFields = {
  last_scan: nullableTime,
  /** No report for longer than the expected interval plus a quarter of it; null if none are expected. */
  overdue: z.nullable(z.boolean()),
  latest_run: z.nullable(LatestRun),
  /**
   * Scores of the last runs, oldest first; null also for a score whose gaps differ from those of most, since it is not
   * comparable.
   */
  scores: z.array(nullableNumber),
  /** Null if figures are not computed yet: see `has_figures`. */
  changes: z.nullable(ClusterChanges),
  /** Verdict on the latest run; null if no gate has judged it. */
  gate: z.nullable(z.pick(RunGate, { verdict: true, at: true })),
  /** Most urgent first. */
  attention: z.array(Attention),
}

/** The latest run of one scanner about one subject: the cluster itself, or the named image, folder, tool or benchmark. */
export const ClusterScanner = z.object({ format: ReportFormat, subject: optionalText, ...scannerFields })
export type ClusterScanner = z.infer<typeof ClusterScanner>

/** New and regressed findings since a time. A first run is new as a whole. */
export const News = z.object({
  ...newsTime,
  findings: z.int(),
  critical: z.int(),
  /** Known faults of pods that more pods have, without their share having risen; with the figures of the widest. */
  grown: z.optional(
    z.object({ findings: z.int(), from: z.int(), from_of: optionalInt, to: z.int(), to_of: optionalInt }),
  ),
})
export type News = z.infer<typeof News>

/** What stands at the latest scans, whether new or not, and no exception covers. */
export const Standing = z.object({
  /** Number of clusters with such critical findings, and when the oldest of these was first seen. */
  clusters: optionalInt,
  oldest_critical: optionalTime,
  /** Number of critical findings, as the scanner counts them. */
  critical: z.int(),
  /** Number of artifacts that a critical advisory affects, and of versions whose support has ended. */
  affected_critical: z.int(),
  ended: z.int(),
})
export type Standing = z.infer<typeof Standing>

/** `last_scan`, `overdue`, `latest_run`, `scores`, `changes` and `gate` are those of the first entry in `scanners`. */
export const FleetCluster = z.object({
  cluster_id: ClusterId,
  ...clusterPlace,
  labels: texts,
  provider: nullableText,
  region: nullableText,
  kubernetes_version: nullableText,
  /** Expected seconds between two scans, as set for the cluster; null if not set. */
  expected_every: nullableInt,
  /**
   * Expected interval of reports: as set for the cluster, or else by its agents' schedules, or else, on request, the usual
   * interval.
   */
  expected_reports: z.nullable(z.object({ every: z.int(), set_by: z.enum(['cluster', 'agent', 'runs']) })),
  ...scannerFields,
  /** The scanners that report the cluster, the one with the most urgent reasons first. */
  scanners: z.optional(z.array(ClusterScanner)),
  freshness: z.nullable(ClusterFreshness),
  /** False if `changes` and `freshness` are not computed yet for the latest run. */
  has_figures: z.boolean(),
  /** Reasons from all scanners and running artifacts, most urgent first. */
  attention: z.array(Attention),
  /** Reasons in `attention` that need attention now; the others are already known. */
  attention_now: z.optional(z.array(Attention)),
  news: z.optional(News),
  /** Absent if nothing stands. */
  standing: z.optional(Standing),
})
export type FleetCluster = z.infer<typeof FleetCluster>

/** Totals over all requested clusters, on every page. */
export const FleetSummary = z.object({
  clusters: z.int(),
  /** Reason → number of clusters. */
  attention: z.record(z.string(), z.int()),
  needs_attention: z.int(),
  news: z.optional(News),
  /** Sums of all clusters; absent if nothing stands. */
  standing: z.optional(Standing),
  /** Number of clusters with a current reason, of those with only known reasons, and of clusters by current reason. */
  now: z.optional(z.object({ clusters: z.int(), known: z.int(), attention: z.record(z.string(), z.int()) })),
  /** Number of clusters whose figures are missing or based on an older catalog. A further request computes some of them. */
  pending: z.int(),
  /** Clusters whose reports agents promised but that have none; at most 100. */
  never_reported: z.optional(
    z.array(
      z.object({
        ...clusterPlace,
        expected_every: z.int(),
        expected_since: Timestamp,
      }),
    ),
  ),
})
export type FleetSummary = z.infer<typeof FleetSummary>

/** A source whose last requests failed. Omits its address, which may be in an internal network. */
export const FailingSource = z.object({
  product_id: Id,
  name: z.string(),
  kind: z.string(),
  outcome: z.enum(['absent', 'unreachable', 'limited']),
  /** Its last success; null if there was none. */
  answered_at: nullableTime,
})
export type FailingSource = z.infer<typeof FailingSource>

export const ServiceStatus = z.object({
  ...success,
  /** Number of sources that were requested at least once, and of failing ones; lists up to 20. */
  sources: z.object({ total: z.int(), failing: z.int(), items: z.array(FailingSource) }),
})
export type ServiceStatus = z.infer<typeof ServiceStatus>

const everySeconds = z.int().check(z.gte(60), z.lte(31_536_000))
const label = requiredText(100)

/** Absent fields do not change; null removes the interval. */
export const ClusterChange = z.object({
  cluster_name: z.optional(requiredText(253)),
  environment: z.optional(requiredText(100)),
  labels: z.optional(z.array(label).check(z.maxLength(50))),
  expected_every: z.optional(
    documented(z.nullable(everySeconds), { type: ['integer', 'null'], minimum: 60, maximum: 31_536_000 }),
  ),
})
export type ClusterChange = z.input<typeof ClusterChange>

const place = { cluster_id: ClusterId, ...clusterPlace }

/** A version of a project in one cluster. */
export const ClusterVersion = z.object({
  ...place,
  run_id: RunId,
  seen_at: Timestamp,
  artifact_type: FreshnessItem.shape.artifact_type,
  /** The image without its tag, or the chart. */
  name: z.string(),
  /** Null if the tag does not state one. */
  version: nullableText,
  status: FreshnessStatus,
  releases_behind: nullableInt,
  days_behind: nullableInt,
  states: z.optional(z.array(ArtifactState)),
  /** The recommended step, as in freshness. */
  step: z.optional(z.nullable(z.pick(Step, { version: true, via: true }))),
  count: z.int(),
})
export type ClusterVersion = z.infer<typeof ClusterVersion>

export const ClusterVersions = z.object({
  ...success,
  product: z.object({ id: Id, name: z.string(), latest_version: nullableText }),
  summary: z.object({
    clusters: z.int(),
    /** Number of clusters that run it, and of clusters whose inventory was searched. */
    running: z.int(),
    with_inventory: z.int(),
    pending: z.int(),
  }),
  /** Day of the facts about its releases, `YYYY-MM-DD`. */
  catalog_date: optionalText,
  /** Clusters without an inventory. */
  unknown: z.array(z.object(place)),
  /** Most outdated first. */
  items: z.array(ClusterVersion),
})
export type ClusterVersions = z.infer<typeof ClusterVersions>

/** A project, or an unknown image or chart, in two clusters. */
export const ClusterDifference = z.object({
  product_id: z.nullable(Id),
  name: z.string(),
  /** A chart and the app that it installs have different versions. */
  artifact_type: z.enum(['app', 'helm_chart']),
  from: texts,
  to: texts,
  /** Which of the two is older; `other` if the versions cannot be ordered. */
  difference: z.enum(['same', 'from_behind', 'to_behind', 'other', 'only_from', 'only_to']),
})
export type ClusterDifference = z.infer<typeof ClusterDifference>

const Compared = z.object({
  ...place,
  /** The run with the cluster's inventory; null without one. */
  run_id: z.nullable(RunId),
  seen_at: nullableTime,
})

export const ClusterComparison = z.object({
  ...success,
  from: Compared,
  to: Compared,
  summary: z.record(z.string(), z.int()),
  pending: z.int(),
  items: z.array(ClusterDifference),
})
export type ClusterComparison = z.infer<typeof ClusterComparison>
