import * as z from 'zod/mini'
import { freshnessStatuses } from './choices.ts'
import { ClusterProfile } from './cluster-profile.ts'
import { CustomResource } from './custom-resource.ts'
import { Eol } from './eol.ts'
import { NodeComponent, UnreadSource } from './node.ts'
import { OwnerLabel } from './ownership.ts'
import { RunId } from './scan-finding.ts'
import { Id, Severity, Timestamp } from './shape.ts'
import { Exploited } from './state-facts.ts'
import { ArtifactNote, ArtifactState, StateReason, Steps } from './step.ts'
import { WantedChart } from './wanted.ts'

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
  /** Number of artifacts whose version was compared with advisories about their project. */
  advisories_known: z.optional(z.int()),
  /** Day of the oldest advisories about what runs. */
  advisory_facts_at: z.optional(z.nullable(z.string())),
  /** Why not all that runs is known, a sentence each: kinds that the inventory could not read. */
  gaps: z.optional(z.array(z.string())),
})
export type Coverage = z.infer<typeof Coverage>

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
  /** The first version that the advisory names as free of it; null also for one that does not exist. */
  fixed_in: z.nullable(z.string()),
  /** First release of the running line that this advisory does not affect. */
  fixed_in_line: z.nullable(z.string()),
  /** An extension: it is known to be exploited; null: it is not known to be. */
  exploited: z.optional(z.nullable(Exploited)),
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
  exploited: z.optional(Exploited),
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
  /** An extension: the same without the version that `current_version` states. */
  short_name: z.optional(z.string()),
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
  /** The version of `steps.line`. */
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
  /** An extension: whether the catalog has security facts of its project. */
  security_facts: z.optional(z.boolean()),
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
  /** The version of `steps.clean` if it is of the running line. */
  fixed_in_line: z.nullable(z.string()),
  /** The version of `steps.clean`. */
  fixed_in: z.nullable(z.string()),
  /** An extension: the versions to upgrade to. The other fields that name one follow from it. */
  steps: z.optional(Steps),
  /** An extension: how many of the advisories, and of the undecided ones, are known to be exploited. */
  advisories_exploited: z.optional(z.int()),
  exploited_undecided: z.optional(z.int()),
  /** An extension: why there is no step, in sentences. */
  step_reasons: z.optional(z.array(z.string())),
  /** An extension: what is known beside how far it is behind, the most urgent first, with the reasons. */
  states: z.optional(z.array(ArtifactState)),
  facts: z.optional(z.array(StateReason)),
  /** An extension: facts that change nothing about its state; absent where there are none. */
  notes: z.optional(z.array(ArtifactNote)),
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
  /** An extension, of Kubernetes: why its end of support is not known, as a clause. */
  eol_unknown: z.optional(z.string()),
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

/** How many of the artifacts have what, of all that run also where an answer lists a part of them. */
export const FreshnessSummary = z.object({
  up_to_date: z.int(),
  minor_behind: z.int(),
  major_behind: z.int(),
  unknown: z.int(),
  /** An extension: components of a managed offering itself. They do not count as unknown; absent when there are none. */
  managed: z.optional(z.int()),
  /** Extensions, which newer servers all have. */
  artifacts: z.optional(z.int()),
  kubernetes: z.optional(z.int()),
  /** By advisories, and by those that are exploited. */
  affected: z.optional(z.int()),
  exploited: z.optional(z.int()),
  /** Compared with advisories; not compared, or not with all. */
  compared: z.optional(z.int()),
  undecided: z.optional(z.int()),
  out_of_support: z.optional(z.int()),
  compromised: z.optional(z.int()),
  withdrawn: z.optional(z.int()),
  retired: z.optional(z.int()),
  /** In any state that somebody should do something about, and not out of support. */
  in_bad_state: z.optional(z.int()),
  /** Up to date, and in such a state. */
  current_in_state: z.optional(z.int()),
})
export type FreshnessSummary = z.infer<typeof FreshnessSummary>

export const Freshness = z.object({
  success: z.literal(true),
  run_id: RunId,
  processing_status: z.literal('ready'),
  /** Day on which the catalog's facts were gathered. */
  catalog_date: z.string(),
  summary: FreshnessSummary,
  /** An extension. */
  coverage: z.optional(Coverage),
  /** Extensions: what the nodes run, where the inventory has nodes, and which of its sources could not be read. */
  nodes: z.optional(z.array(NodeComponent)),
  unread: z.optional(z.array(UnreadSource)),
  /** An extension: owners of the artifacts, as labels name them. Rules of `/owners` come first. */
  owner_labels: z.optional(z.array(OwnerLabel)),
  /** An extension: what git wants, where the inventory says it. */
  wanted: z.optional(z.array(WantedChart)),
  /** An extension: custom resources, where the inventory could list their definitions. */
  custom_resources: z.optional(z.array(CustomResource)),
  /** An extension: clusters of the fleet, where the cluster is a hub that has ClusterProfiles. */
  cluster_profiles: z.optional(z.array(ClusterProfile)),
  /** Extensions, where the answer is asked for in pages: of the artifacts that were chosen. */
  page: z.optional(z.int()),
  per_page: z.optional(z.int()),
  total: z.optional(z.int()),
  total_pages: z.optional(z.int()),
  items: z.array(FreshnessItem),
})
export type Freshness = z.infer<typeof Freshness>
