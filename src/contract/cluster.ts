import * as z from 'zod/mini'
import { clusterAttention, clusterOrders } from './choices.ts'
import { FreshnessItem, FreshnessStatus } from './freshness.ts'
import { RunGate } from './gate-verdict.ts'
import { FindingCounts, ReportFormat, RunId } from './scan-finding.ts'
import { documented, Id, requiredText, Timestamp } from './shape.ts'
import { ArtifactState, Step } from './step.ts'

/** All of this is an extension. */

const ClusterId = z.string().check(z.regex(/^clus_[A-Za-z0-9-]{1,64}$/))
/** Reasons why a cluster needs attention. */
export const Attention = z.enum(clusterAttention)
export type Attention = z.infer<typeof Attention>
export const ClusterOrder = z.enum(clusterOrders)
export type ClusterOrder = z.infer<typeof ClusterOrder>

/** The latest run against the run of the same scanner before it. */
export const ClusterChanges = z.object({
  /** New and regressed findings that exceptions accept; the other figures leave them out. */
  accepted_findings: z.optional(z.int()),
  new_findings: z.int(),
  new_critical: z.int(),
  new_high: z.int(),
  regressed_findings: z.int(),
  regressed_critical: z.int(),
  regressed_high: z.int(),
  resolved_findings: z.int(),
})
export type ClusterChanges = z.infer<typeof ClusterChanges>

/** Versions in the latest run with an inventory. */
export const ClusterFreshness = z.object({
  /** That run. */
  run_id: z.optional(RunId),
  /** Images, charts and apps; 0 where no run lists any. */
  artifacts: z.int(),
  /** Number of these whose project and version the catalog knows. */
  known: z.int(),
  minor_behind: z.int(),
  major_behind: z.int(),
  /** Artifacts that an advisory affects. */
  affected: z.int(),
  affected_critical: z.int(),
  affected_high: z.int(),
  /** Artifacts that attackers planted, with an exploited vulnerability, and of a retired project. */
  compromised: z.optional(z.int()),
  exploited: z.optional(z.int()),
  retired: z.optional(z.int()),
  /** Versions whose support has ended, and those whose support ends within 90 days. */
  ended: z.int(),
  ending: z.int(),
  /** False: the catalog has changed since. */
  is_current: z.boolean(),
  /** Day of the oldest facts about releases of what runs, `YYYY-MM-DD`. */
  catalog_date: z.optional(z.string()),
})
export type ClusterFreshness = z.infer<typeof ClusterFreshness>

const LatestRun = z.object({
  run_id: RunId,
  format: ReportFormat,
  score: z.nullable(z.number()),
  /** Null for a first run, and between scores by two rules. */
  score_delta: z.nullable(z.number()),
  /** Both scores rest on the same checks and namespaces; null without an earlier run. */
  score_comparable: z.optional(z.nullable(z.boolean())),
  findings: FindingCounts,
  total_checks: z.int(),
  failed_checks: z.int(),
  not_run_checks: z.int(),
  /** Parts of the accepted scope that it lacks: see runs. */
  scope_gaps: z.optional(z.int()),
  is_empty: z.boolean(),
})

const scannerFields = {
  last_scan: z.nullable(Timestamp),
  /** No report came for longer than expected, and a quarter of that; null where none are expected. */
  overdue: z.nullable(z.boolean()),
  latest_run: z.nullable(LatestRun),
  /** Scores of the last runs, oldest first; null also for a score with other gaps than most of them, which is no trend. */
  scores: z.array(z.nullable(z.number())),
  /** Null for a first run, and while the figures are not made yet: see `has_figures`. */
  changes: z.nullable(ClusterChanges),
  /** Verdict on the latest run; null if no gate has judged it. */
  gate: z.nullable(z.pick(RunGate, { verdict: true, at: true })),
  /** The most urgent first. */
  attention: z.array(Attention),
}

/** The latest run of one scanner of a cluster. */
export const ClusterScanner = z.object({ format: ReportFormat, ...scannerFields })
export type ClusterScanner = z.infer<typeof ClusterScanner>

/** `last_scan`, `overdue`, `latest_run`, `scores`, `changes` and `gate` are those of the first of `scanners`. */
export const FleetCluster = z.object({
  cluster_id: ClusterId,
  cluster_name: z.string(),
  environment: z.string(),
  labels: z.array(z.string()),
  provider: z.nullable(z.string()),
  region: z.nullable(z.string()),
  kubernetes_version: z.nullable(z.string()),
  /** Seconds between two scans, by the setting of the cluster; null: none is set. */
  expected_every: z.nullable(z.int()),
  /** How often reports are expected: by the setting of the cluster, else by the schedules of its agents, else, if asked for, as usual. */
  expected_reports: z.nullable(z.object({ every: z.int(), set_by: z.enum(['cluster', 'agent', 'runs']) })),
  ...scannerFields,
  /** Each scanner that reports the cluster, that with the most urgent reasons first. */
  scanners: z.optional(z.array(ClusterScanner)),
  freshness: z.nullable(ClusterFreshness),
  /** False: `changes` and `freshness` are not made since the latest run came. */
  has_figures: z.boolean(),
  /** Of all scanners and of what runs, the most urgent first. */
  attention: z.array(Attention),
  /** Those of them that are of now; the others are known. */
  attention_now: z.optional(z.array(Attention)),
})
export type FleetCluster = z.infer<typeof FleetCluster>

/** Over all clusters that were asked for, on whichever page. */
export const FleetSummary = z.object({
  clusters: z.int(),
  /** By reason, how many clusters need attention for it. */
  attention: z.record(z.string(), z.int()),
  needs_attention: z.int(),
  /** Clusters with a reason that is of now, those that have only known reasons, and by reason, how many have it now. */
  now: z.optional(z.object({ clusters: z.int(), known: z.int(), attention: z.record(z.string(), z.int()) })),
  /** Clusters whose figures are missing or of an older catalog. A further call makes some of them. */
  pending: z.int(),
  /** Clusters that agents promised reports of, and that never had one; at most 100. */
  never_reported: z.optional(
    z.array(
      z.object({
        cluster_name: z.string(),
        environment: z.string(),
        expected_every: z.int(),
        expected_since: Timestamp,
      }),
    ),
  ),
})
export type FleetSummary = z.infer<typeof FleetSummary>

/** A source whose last requests failed. Its address may be one of an internal network, so it is not shown. */
export const FailingSource = z.object({
  product_id: Id,
  name: z.string(),
  kind: z.string(),
  outcome: z.enum(['absent', 'unreachable', 'limited']),
  /** Its last success; null if there was none. */
  answered_at: z.nullable(Timestamp),
})
export type FailingSource = z.infer<typeof FailingSource>

export const ServiceStatus = z.object({
  success: z.literal(true),
  /** Sources of the catalog that were requested at least once, and those that fail; 20 are listed. */
  sources: z.object({ total: z.int(), failing: z.int(), items: z.array(FailingSource) }),
})
export type ServiceStatus = z.infer<typeof ServiceStatus>

const everySeconds = z.int().check(z.gte(60), z.lte(31_536_000))
const label = requiredText(100)

/** Members that are absent stay as they are; null takes the interval out. */
export const ClusterChange = z.object({
  cluster_name: z.optional(requiredText(253)),
  environment: z.optional(requiredText(100)),
  labels: z.optional(z.array(label).check(z.maxLength(50))),
  expected_every: z.optional(
    documented(z.nullable(everySeconds), { type: ['integer', 'null'], minimum: 60, maximum: 31_536_000 }),
  ),
})
export type ClusterChange = z.input<typeof ClusterChange>

const place = { cluster_id: ClusterId, cluster_name: z.string(), environment: z.string() }

/** One version of a project in one cluster. */
export const ClusterVersion = z.object({
  ...place,
  run_id: RunId,
  seen_at: Timestamp,
  artifact_type: FreshnessItem.shape.artifact_type,
  /** The image without its tag, or the chart. */
  name: z.string(),
  /** Null: the tag does not state one. */
  version: z.nullable(z.string()),
  status: FreshnessStatus,
  releases_behind: z.nullable(z.int()),
  days_behind: z.nullable(z.int()),
  states: z.optional(z.array(ArtifactState)),
  /** The same step as in freshness. */
  step: z.optional(z.nullable(z.pick(Step, { version: true, via: true }))),
  count: z.int(),
})
export type ClusterVersion = z.infer<typeof ClusterVersion>

export const ClusterVersions = z.object({
  success: z.literal(true),
  product: z.object({ id: Id, name: z.string(), latest_version: z.nullable(z.string()) }),
  summary: z.object({
    clusters: z.int(),
    /** Clusters that run it, and clusters whose inventory was searched. */
    running: z.int(),
    with_inventory: z.int(),
    pending: z.int(),
  }),
  /** Day of the facts about its releases, `YYYY-MM-DD`. */
  catalog_date: z.optional(z.string()),
  /** Clusters without an inventory. */
  unknown: z.array(z.object(place)),
  /** The furthest behind first. */
  items: z.array(ClusterVersion),
})
export type ClusterVersions = z.infer<typeof ClusterVersions>

/** A project, or an image or a chart unknown to the catalog, in two clusters. */
export const ClusterDifference = z.object({
  product_id: z.nullable(Id),
  name: z.string(),
  /** Versions of a chart are not those of what it installs. */
  artifact_type: z.enum(['app', 'helm_chart']),
  from: z.array(z.string()),
  to: z.array(z.string()),
  /** Which of the two lags behind; `other` where versions cannot be ordered. */
  difference: z.enum(['same', 'from_behind', 'to_behind', 'other', 'only_from', 'only_to']),
})
export type ClusterDifference = z.infer<typeof ClusterDifference>

const Compared = z.object({
  ...place,
  /** The run with its inventory; null without one. */
  run_id: z.nullable(RunId),
  seen_at: z.nullable(Timestamp),
})

export const ClusterComparison = z.object({
  success: z.literal(true),
  from: Compared,
  to: Compared,
  summary: z.record(z.string(), z.int()),
  pending: z.int(),
  items: z.array(ClusterDifference),
})
export type ClusterComparison = z.infer<typeof ClusterComparison>
