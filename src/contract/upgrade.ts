import * as z from 'zod/mini'
import { Eol } from './eol.ts'
import { RunId } from './scan-finding.ts'
import {
  clusterPlace,
  documented,
  nullableText,
  optionalInt,
  optionalText,
  optionalTexts,
  optionalTrue,
  requiredText,
  success,
  Timestamp,
  texts,
} from './shape.ts'
import { AdvisoryCounts } from './step.ts'
import { compatibilityKinds } from './upgrade-facts.ts'

/** A minor version of Kubernetes, or a full version as a cluster reports it. */
const kubernetesVersion = requiredText(100)

const targetPattern = String.raw`^(?:latest|supported|v?\d{1,3}\.\d{1,3}(?:[.+-][0-9A-Za-z.+-]{0,80})?)$`

/** Target: a Kubernetes version, `latest`, or `supported`, the oldest supported one. */
export const UpgradeTarget = documented(
  z
    .string()
    .check(z.regex(new RegExp(targetPattern), { error: 'must be a version such as 1.36, `latest` or `supported`' })),
  { type: 'string', pattern: targetPattern },
)

export const UpgradeCheckInput = z.object({
  kubernetes: kubernetesVersion,
  to: UpgradeTarget,
  parts: z.array(z.object({ project_slug: requiredText(200), version: requiredText(256) })).check(z.maxLength(500)),
})
export type UpgradeCheckInput = z.infer<typeof UpgradeCheckInput>

/** A fact that an answer is based on. */
export const UpgradeEvidence = z.object({
  /** A Kubernetes range, a rule of the project or the offering, a removed API, or a missing fact. */
  kind: z.enum([
    ...compatibilityKinds,
    'chart',
    'rule',
    'skew',
    'removal',
    'support',
    'advisory',
    'retired',
    'withdrawn',
    'compromised',
    'none',
  ]),
  /** The fact, as a sentence. */
  says: z.string(),
  /** A URL; null if there is no source. */
  source: nullableText,
  /** Day of the source, `YYYY-MM-DD`; null if unknown. */
  as_of: nullableText,
  /** From the user's own facts. */
  own: optionalTrue,
})
export type UpgradeEvidence = z.infer<typeof UpgradeEvidence>

/** A fact that a step is based on. */
export const StepEvidence = z.extend(UpgradeEvidence, {
  /** Index of the line in `why` that states it, from 0; absent if none does, or on older servers. */
  why_line: optionalInt,
})
export type StepEvidence = z.infer<typeof StepEvidence>

const partNeeds = ['ok', 'upgrade_before', 'blocked', 'unknown'] as const

/** Requirements of one running project for the Kubernetes upgrade. */
export const UpgradePart = z.object({
  project_slug: z.string(),
  name: z.string(),
  current_version: nullableText,
  needs: z.enum(partNeeds),
  /** The version to upgrade to first; a line such as `3.5` if the catalog lists no release of it. */
  to_version: nullableText,
  /** Intermediate versions on the way. */
  via: texts,
  /** Versions to upgrade to at later Kubernetes hops, with intermediate versions, in order; absent if there are none. */
  later_versions: optionalTexts,
  evidence: z.array(UpgradeEvidence),
  /**
   * Whether it depends closely on Kubernetes: a network or storage driver, an ingress controller, a webhook, an operator.
   */
  coupled: z.boolean(),
  /** Each of its releases supports one or two minor versions of Kubernetes, so it is upgraded with Kubernetes. */
  paired: optionalTrue,
  /** `namespace/kind/name` */
  workloads: texts,
  /** Owners of the workloads, by rules and labels; empty if they have none. Absent if the cluster has no owners at all. */
  owners: optionalTexts,
})
export type UpgradePart = z.infer<typeof UpgradePart>

/** An API version that is no longer served after a hop or step. */
export const RemovedApi = z.object({
  group: z.string(),
  version: z.string(),
  kind: z.string(),
  removed_in: z.string(),
  /** Replacement: `policy/v1 PodDisruptionBudget`. */
  replacement: nullableText,
  source: z.string(),
  /** Announced, but no release has removed it yet. */
  planned: optionalTrue,
  /** Users of the API according to the report; null if not collected. */
  used_by: z.nullable(texts),
})
export type RemovedApi = z.infer<typeof RemovedApi>

/** A change between two versions that may break something. */
const BreakingNote = z.object({
  version: z.string(),
  what: z.string(),
  action: z.string(),
  who: z.string(),
  source: z.string(),
  /** Day on which the source said so. */
  as_of: optionalText,
})

const stepKinds = ['part', 'kubernetes', 'nodes'] as const

export const UpgradeStep = z.object({
  /** From 1, counted across all hops. */
  number: z.int(),
  /** The minor version of Kubernetes after the hop; null for a step of a single project. */
  hop: nullableText,
  kind: z.enum(stepKinds),
  when: z.enum(['before', 'kubernetes', 'nodes', 'after']),
  project_slug: z.string(),
  name: z.string(),
  from: z.string(),
  to: z.string(),
  via: texts,
  /** Reasons, one sentence each; the first one requires the step. */
  why: texts,
  /** Advisories about running versions that it fixes. */
  fixes: AdvisoryCounts,
  /** Breaking changes in the skipped versions; null if not collected for this project. */
  breaks: z.nullable(z.array(BreakingNote)),
  removed_apis: z.array(RemovedApi),
  /** Manual actions, one sentence each. */
  manual: texts,
  /** Support of the target version. */
  support: z.nullable(Eol),
  /** How to roll back, as a sentence; why that is impossible, if `irreversible` is set. */
  way_back: z.string(),
  irreversible: optionalTrue,
  evidence: z.array(StepEvidence),
  workloads: texts,
  owners: optionalTexts,
  /** The nodes to upgrade, by the minor version of their kubelets; absent if not collected. */
  kubelets: z.optional(z.array(z.object({ version: z.string(), nodes: z.int() }))),
})
export type UpgradeStep = z.infer<typeof UpgradeStep>

/** An upgrade by one minor version of Kubernetes. */
export const UpgradeHop = z.object({
  from: z.string(),
  to: z.string(),
  /** Newest release of `to` without faults that the cluster can run; null if the catalog has none. */
  version: nullableText,
  support_before: z.nullable(Eol),
  support_after: z.nullable(Eol),
  removed_apis: z.array(RemovedApi),
  /** Rules of Kubernetes and of the offering. */
  rules: z.array(UpgradeEvidence),
  /** Numbers of the hop's steps. */
  steps: z.array(z.int()),
})
export type UpgradeHop = z.infer<typeof UpgradeHop>

const upgradeVerdicts = ['ready', 'warnings', 'blocked', 'undetermined'] as const

/** A reason for the verdict. */
export const UpgradeReason = z.object({
  word: z.enum(['blocked', 'undetermined', 'not_stated']),
  /** Null: about the cluster. */
  project_slug: nullableText,
  /** The reason, as a sentence. */
  says: z.string(),
})
export type UpgradeReason = z.infer<typeof UpgradeReason>

/** A fact that would improve the answer, listed once. */
const MissingFact = z.object({ what: z.string(), how: z.string() })

const plan = {
  ...success,
  verdict: z.enum(upgradeVerdicts),
  catalog_date: z.string(),
  /** Kubernetes version as reported; null if unknown. */
  kubernetes: nullableText,
  /** Minor versions; null if unknown. */
  from: nullableText,
  to: z.string(),
  reasons: z.array(UpgradeReason),
  parts: z.array(UpgradePart),
  hops: z.array(UpgradeHop),
  steps: z.array(UpgradeStep),
  missing: z.array(MissingFact),
}

export const UpgradeCheck = z.object(plan)
export type UpgradeCheck = z.infer<typeof UpgradeCheck>

/** The data that a cluster's plan is based on. */
const UpgradeBasis = z.object({
  ...clusterPlace,
  provider: nullableText,
  run_id: RunId,
  /** Time of the scan. */
  seen_at: Timestamp,
  artifacts: z.int(),
  /** Number of parts with a published range, and of all parts. */
  parts_with_facts: z.int(),
  parts: z.int(),
  /** Number of artifacts without a known project. */
  unknown: z.int(),
  /** Number of artifacts that the offering upgrades with the cluster. */
  managed: z.int(),
  /** Number of artifacts of known projects that do not depend on a Kubernetes version. */
  others: z.int(),
})

export const UpgradePlan = z.object({ ...plan, basis: UpgradeBasis })
export type UpgradePlan = z.infer<typeof UpgradePlan>

/** The upgrade path of one project, without a cluster. */
export const ProjectPath = z.object({
  ...success,
  catalog_date: z.string(),
  project_slug: z.string(),
  name: z.string(),
  from: z.string(),
  /** Null if there is no recommended target version. */
  to: nullableText,
  /** Why there is no path, or other remarks, in sentences. */
  because: texts,
  steps: z.array(UpgradeStep),
})
export type ProjectPath = z.infer<typeof ProjectPath>
