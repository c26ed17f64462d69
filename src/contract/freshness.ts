import * as z from 'zod/mini'
import { freshnessStatuses } from './choices.ts'
import { Eol } from './eol.ts'
import { NodeComponent, UnreadSource } from './node.ts'
import { OwnerLabel } from './ownership.ts'
import { RunId } from './scan-finding.ts'
import {
  Id,
  nullableInt,
  nullableNumber,
  nullableText,
  optionalBoolean,
  optionalInt,
  optionalText,
  optionalTexts,
  Severity,
  success,
  Timestamp,
  texts,
} from './shape.ts'
import { Exploited } from './state-facts.ts'
import { ArtifactNote, ArtifactState, StateReason, Steps } from './step.ts'
import { WantedChart } from './wanted.ts'

/** An extension: what an answer about running artifacts is based on. Times are days or timestamps; null means none. */
export const Coverage = z.object({
  /** Number of images, charts and apps in the run, without Kubernetes itself. */
  artifacts: z.int(),
  /** Number of artifacts with known project and version. */
  known: z.int(),
  /** Number of artifacts that are components of a managed offering, with nothing to compare; absent when 0. */
  managed: optionalInt,
  /** Number of running projects with security facts in the catalog. */
  security_known: z.int(),
  /** Number of projects known to be running. */
  projects: z.int(),
  /** Day of the oldest releases that what runs was compared with. */
  catalog_at: nullableText,
  /** Day of the oldest security facts about running projects. */
  security_facts_at: nullableText,
  /** Number of artifacts whose version was compared with advisories about their project. */
  advisories_known: optionalInt,
  /** Day of the oldest advisories about running projects. */
  advisory_facts_at: z.optional(nullableText),
  /** Why the inventory is incomplete, one sentence each: kinds that it could not read. */
  gaps: optionalTexts,
})
export type Coverage = z.infer<typeof Coverage>

export const FreshnessStatus = z.enum(freshnessStatuses)
export type FreshnessStatus = z.infer<typeof FreshnessStatus>

/** A project that the artifact may belong to, and why it was chosen or not. */
export const FreshnessCandidate = z.object({
  product_id: Id,
  name: z.string(),
  matched_by: z.enum(['repository', 'mirror', 'chart', 'name']),
  taken: z.boolean(),
  confidence: z.number(),
  reason: z.string(),
})
export type FreshnessCandidate = z.infer<typeof FreshnessCandidate>

/** Versions from `introduced` (`0`: the first) up to but excluding `fixed`, or up to `last_affected`, or unlimited. */
export const AffectedRange = z.object({
  introduced: z.string(),
  fixed: nullableText,
  last_affected: nullableText,
})
export type AffectedRange = z.infer<typeof AffectedRange>

/** Source of an image's advisory: the catalog, by the project's release, or Trivy, by a package inside. */
const AdvisoryWitness = z.enum(['catalog', 'trivy'])

/** An advisory about a project's releases that affects a running version. */
export const RunningAdvisory = z.object({
  /** A CVE, else a GHSA, else the id in its database. */
  id: z.string(),
  aliases: texts,
  /** Null if no database rates it. */
  severity: z.nullable(Severity),
  /** CVSS base score. */
  score: nullableNumber,
  /** `YYYY-MM-DD`; null if unknown. */
  published: nullableText,
  /** The first fixed version according to the advisory; null also if that version does not exist. */
  fixed_in: nullableText,
  /** First release of the running release line that this advisory does not affect. */
  fixed_in_line: nullableText,
  /** An extension: evidence of exploitation; null if none is known. */
  exploited: z.optional(z.nullable(Exploited)),
  /** Only if requested by `explain`. */
  ranges: z.optional(z.array(AffectedRange)),
  /** Only for images in the cluster's latest Trivy report: which of the two sources names the advisory. */
  seen_by: z.optional(z.array(AdvisoryWitness)),
})
export type RunningAdvisory = z.infer<typeof RunningAdvisory>

/** An advisory whose ranges cannot be compared with the running version. */
export const UndecidedAdvisory = z.object({
  ...z.pick(RunningAdvisory, { id: true, aliases: true, severity: true }).shape,
  /** The reason, as a clause. */
  reason: z.string(),
  exploited: z.optional(Exploited),
  /** Set if the cluster's latest Trivy report lists the advisory for the image. */
  seen_by: z.optional(z.array(AdvisoryWitness)),
})
export type UndecidedAdvisory = z.infer<typeof UndecidedAdvisory>

export const FreshnessItem = z.object({
  artifact_type: z.enum(['image', 'helm_chart', 'app', 'kubernetes']),
  /** Normalized identity: `docker.io/library/nginx:1.27.3`, `argo-cd@7.3.4`, `kubernetes@v1.33.6`. */
  artifact_key: z.string(),
  /** Common short form: `nginx:1.27.3`. */
  display_name: z.string(),
  /** An extension: `display_name` without the version in `current_version`. */
  short_name: optionalText,
  /** Null if it runs in several namespaces, or in none. */
  namespace: nullableText,
  /** `namespace/kind/name`, sorted. */
  workloads: texts,
  /** Origin in the scan: inventory, findings, or the cluster's metadata. */
  source: z.enum(['artifacts', 'findings', 'metadata']),
  source_product_id: z.nullable(Id),
  source_product_slug: nullableText,
  /** The catalog has a project with releases of this artifact. */
  is_monitored: z.boolean(),
  current_version: nullableText,
  /** Newest stable version in the same tag family, in the format of the tag. */
  latest_version: nullableText,
  /** Newest stable version of the project in any tag family. */
  global_latest_version: nullableText,
  /** The version in `steps.line`. */
  same_line_version: nullableText,
  status: FreshnessStatus,
  /** 0 to 1: certainty of the status. */
  confidence: z.number().check(z.gte(0), z.lte(1)),
  reason: z.string(),
  recommendation: z.string(),
  /** `exact`: a full version; `line`: a floating tag such as `7` or `3.19`; `none`: nothing to compare. */
  compare_mode: z.enum(['exact', 'line', 'none']),
  /** The version of the image follows from the chart that installed it. */
  inherited_from_helm: z.boolean(),
  releases_behind: nullableInt,
  /** An extension: the catalog's history does not go back to the running version, so the number is a minimum. */
  releases_behind_at_least: optionalBoolean,
  days_behind: nullableInt,
  security_fixes_between: z.int(),
  highest_severity_between: Severity,
  /** An extension: whether the catalog has security facts about its project. */
  security_facts: optionalBoolean,
  /** Extensions. Worst first; empty also if `advisories_count` is null. */
  advisories: z.array(RunningAdvisory),
  /** Null: the catalog has no advisories about the project, or the version cannot be compared with them. */
  advisories_count: nullableInt,
  /** `none` if no advisory affects it; null if none is rated, or unknown. */
  highest_advisory_severity: z.nullable(Severity),
  /** Number of advisories whose ranges cannot be compared with the version. */
  advisories_undecided: z.int(),
  /** Worst severity of the undecided advisories; null if one of them is not rated. */
  highest_undecided_severity: z.nullable(Severity),
  /** The undecided advisories, if requested by `explain`. */
  undecided_advisories: z.optional(z.array(UndecidedAdvisory)),
  /** The version in `steps.clean`, if it is in the running release line. */
  fixed_in_line: nullableText,
  /** The version in `steps.clean`. */
  fixed_in: nullableText,
  /** An extension: versions to upgrade to. Other fields with a version to upgrade to are derived from these. */
  steps: z.optional(Steps),
  /** An extension: how many of the advisories, and of the undecided ones, are known to be exploited. */
  advisories_exploited: optionalInt,
  exploited_undecided: optionalInt,
  /** An extension: why there is no step, in sentences. */
  step_reasons: optionalTexts,
  /** An extension: states other than being outdated, most urgent first, with the reasons. */
  states: z.optional(z.array(ArtifactState)),
  facts: z.optional(z.array(StateReason)),
  /** An extension: facts that do not affect its state; absent if there are none. */
  notes: z.optional(z.array(ArtifactNote)),
  /**
   * An extension, for images in the cluster's latest Trivy report: number of advisories that it lists for the image and its
   * packages, and how many of them are among the item's own.
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
  /** An extension, if the version's release cycle is known. */
  eol: z.optional(Eol),
  /** An extension, for Kubernetes: why its support end is unknown, as a clause. */
  eol_unknown: optionalText,
  /** An extension: the project's version in a vendor's tag, `1.13.1` for `v1.13.1-20`. */
  upstream_version: optionalText,
  /** An extension: the managed offering or distribution that runs the artifact itself, such as `aks`. */
  managed_by: optionalText,
  /** An extension: true for a component of that offering itself. Its status is `unknown`. */
  vendor_component: optionalBoolean,
  /** The last day on which its releases were read. */
  catalog_date: optionalText,
  /** Only if requested by `explain`. */
  candidates: z.optional(z.array(FreshnessCandidate)),
})
export type FreshnessItem = z.infer<typeof FreshnessItem>

/** Number of artifacts by status, of all running ones even if the answer lists only some. */
export const FreshnessSummary = z.object({
  up_to_date: z.int(),
  minor_behind: z.int(),
  major_behind: z.int(),
  unknown: z.int(),
  /** An extension: components of a managed offering itself. They do not count as unknown; absent if there are none. */
  managed: optionalInt,
  /** An extension: those of `up_to_date` whose facts are too old to call them current. */
  newest_known: optionalInt,
  /** Extensions, present in answers of all newer servers. */
  artifacts: optionalInt,
  kubernetes: optionalInt,
  /** Affected by advisories, and by exploited ones. */
  affected: optionalInt,
  exploited: optionalInt,
  /** Compared with all advisories; not compared, or not with all. */
  compared: optionalInt,
  undecided: optionalInt,
  out_of_support: optionalInt,
  compromised: optionalInt,
  withdrawn: optionalInt,
  retired: optionalInt,
  /** In a state that needs action, other than out of support. */
  in_bad_state: optionalInt,
  /** Up to date, but in such a state. */
  current_in_state: optionalInt,
})
export type FreshnessSummary = z.infer<typeof FreshnessSummary>

export const Freshness = z.object({
  ...success,
  run_id: RunId,
  processing_status: z.literal('ready'),
  /** Day of the oldest releases that what runs was compared with. */
  catalog_date: z.string(),
  summary: FreshnessSummary,
  /** An extension. */
  coverage: z.optional(Coverage),
  /** Extensions: components of the nodes, if the inventory has nodes, and resources that it could not read. */
  nodes: z.optional(z.array(NodeComponent)),
  unread: z.optional(z.array(UnreadSource)),
  /** An extension: owners of artifacts by labels. Rules of `/owners` override them. */
  owner_labels: z.optional(z.array(OwnerLabel)),
  /** An extension: charts that GitOps objects ask for, if they are in the inventory. */
  wanted: z.optional(z.array(WantedChart)),
  /** Extensions, if pages were requested: for the selected artifacts. */
  page: optionalInt,
  per_page: optionalInt,
  total: optionalInt,
  total_pages: optionalInt,
  items: z.array(FreshnessItem),
})
export type Freshness = z.infer<typeof Freshness>
