import * as z from 'zod/mini'
import { Eol } from './eol.ts'
import { RunId } from './scan-finding.ts'
import { documented, requiredText, Timestamp } from './shape.ts'
import { AdvisoryCounts } from './step.ts'
import { compatibilityKinds } from './upgrade-facts.ts'

/** A minor version of Kubernetes, or a whole version as a cluster reports it. */
const kubernetesVersion = requiredText(100)

const targetPattern = String.raw`^(?:latest|supported|v?\d{1,3}\.\d{1,3}(?:[.+-][0-9A-Za-z.+-]{0,80})?)$`

/** Where to: a version of Kubernetes, `latest`, or `supported`, the oldest one that still is. */
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

/** A fact that an answer rests on. */
export const UpgradeEvidence = z.object({
  /** A range of Kubernetes, a rule of the project or the offering, a removed API, or a lack of facts. */
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
  /** A sentence. */
  says: z.string(),
  /** An address; null where nobody says anything. */
  source: z.nullable(z.string()),
  /** Day of the source, `YYYY-MM-DD`; null where it is not known. */
  as_of: z.nullable(z.string()),
  /** One of your own facts. */
  own: z.optional(z.literal(true)),
})
export type UpgradeEvidence = z.infer<typeof UpgradeEvidence>

/** A fact of a step. */
export const StepEvidence = z.extend(UpgradeEvidence, {
  /** The line of `why` that states it, from 0 on; absent: none does, or the server is older than this field. */
  why_line: z.optional(z.int()),
})
export type StepEvidence = z.infer<typeof StepEvidence>

/** Owners of the workloads, by rules and labels; empty: they have none. Absent: the cluster has no owners at all. */
const owners = z.optional(z.array(z.string()))

const partNeeds = ['ok', 'upgrade_before', 'blocked', 'unknown'] as const

/** What one project that runs needs for the upgrade of Kubernetes. */
export const UpgradePart = z.object({
  project_slug: z.string(),
  name: z.string(),
  current_version: z.nullable(z.string()),
  needs: z.enum(partNeeds),
  /** The version to go to first; a line such as `3.5` where the catalog lists no release of it. */
  to_version: z.nullable(z.string()),
  /** Stops on the way there. */
  via: z.array(z.string()),
  /** Versions to go to at later hops of Kubernetes, with the stops on the way, in order; absent where there are none. */
  later_versions: z.optional(z.array(z.string())),
  evidence: z.array(UpgradeEvidence),
  /** It works close to Kubernetes: a network or storage driver, an ingress controller, a webhook, an operator. */
  coupled: z.boolean(),
  /** Its releases go with one or two minor versions of Kubernetes each, and it moves with Kubernetes. */
  paired: z.optional(z.literal(true)),
  /** `namespace/kind/name` */
  workloads: z.array(z.string()),
  owners,
})
export type UpgradePart = z.infer<typeof UpgradePart>

/** An API version that the Kubernetes of a hop or the version of a step no longer serves. */
export const RemovedApi = z.object({
  group: z.string(),
  version: z.string(),
  kind: z.string(),
  removed_in: z.string(),
  /** `policy/v1 PodDisruptionBudget` */
  replacement: z.nullable(z.string()),
  source: z.string(),
  /** No release has removed it yet. */
  planned: z.optional(z.literal(true)),
  /** What the report names as its users; null: not collected. */
  used_by: z.nullable(z.array(z.string())),
})
export type RemovedApi = z.infer<typeof RemovedApi>

/** A change between two versions that may break something. */
const BreakingNote = z.object({
  version: z.string(),
  what: z.string(),
  action: z.string(),
  who: z.string(),
  source: z.string(),
})

const stepKinds = ['part', 'kubernetes', 'nodes'] as const

export const UpgradeStep = z.object({
  /** From 1 on, through all hops. */
  number: z.int(),
  /** The minor version that Kubernetes has after the hop; null for the step of one project alone. */
  hop: z.nullable(z.string()),
  kind: z.enum(stepKinds),
  when: z.enum(['before', 'kubernetes', 'nodes', 'after']),
  project_slug: z.string(),
  name: z.string(),
  from: z.string(),
  to: z.string(),
  via: z.array(z.string()),
  /** Why, a sentence each; the first is what requires it. */
  why: z.array(z.string()),
  /** Advisories of what runs that it fixes. */
  fixes: AdvisoryCounts,
  /** Changes in the versions passed; null: nobody collected them for this project. */
  breaks: z.nullable(z.array(BreakingNote)),
  removed_apis: z.array(RemovedApi),
  /** What must be done by hand, a sentence each. */
  manual: z.array(z.string()),
  /** Of the version that it leads to. */
  support: z.nullable(Eol),
  /** How to go back, a sentence; why that is not possible, where `irreversible` is set. */
  way_back: z.string(),
  irreversible: z.optional(z.literal(true)),
  evidence: z.array(StepEvidence),
  workloads: z.array(z.string()),
  owners,
  /** The nodes that move, by the minor version of their kubelets; absent: not collected. */
  kubelets: z.optional(z.array(z.object({ version: z.string(), nodes: z.int() }))),
})
export type UpgradeStep = z.infer<typeof UpgradeStep>

/** One minor version of Kubernetes. */
export const UpgradeHop = z.object({
  from: z.string(),
  to: z.string(),
  /** The newest good release of `to`; null: the catalog has none. */
  version: z.nullable(z.string()),
  support_before: z.nullable(Eol),
  support_after: z.nullable(Eol),
  removed_apis: z.array(RemovedApi),
  /** Rules of Kubernetes and of the offering. */
  rules: z.array(UpgradeEvidence),
  /** Numbers of its steps. */
  steps: z.array(z.int()),
})
export type UpgradeHop = z.infer<typeof UpgradeHop>

const upgradeVerdicts = ['ready', 'warnings', 'blocked', 'undetermined'] as const

/** What makes the verdict. */
export const UpgradeReason = z.object({
  word: z.enum(['blocked', 'undetermined', 'not_stated']),
  /** Null: the cluster. */
  project_slug: z.nullable(z.string()),
  /** A sentence. */
  says: z.string(),
})
export type UpgradeReason = z.infer<typeof UpgradeReason>

/** Something that would make the answer better, once. */
export const MissingFact = z.object({ what: z.string(), how: z.string() })
export type MissingFact = z.infer<typeof MissingFact>

const plan = {
  success: z.literal(true),
  verdict: z.enum(upgradeVerdicts),
  catalog_date: z.string(),
  /** As reported; null: unknown. */
  kubernetes: z.nullable(z.string()),
  /** Minor versions; null where unknown. */
  from: z.nullable(z.string()),
  to: z.string(),
  reasons: z.array(UpgradeReason),
  parts: z.array(UpgradePart),
  hops: z.array(UpgradeHop),
  steps: z.array(UpgradeStep),
  missing: z.array(MissingFact),
}

export const UpgradeCheck = z.object(plan)
export type UpgradeCheck = z.infer<typeof UpgradeCheck>

/** What the plan of a cluster rests on. */
const UpgradeBasis = z.object({
  cluster_name: z.string(),
  environment: z.string(),
  provider: z.nullable(z.string()),
  run_id: RunId,
  /** Time of the scan. */
  seen_at: Timestamp,
  artifacts: z.int(),
  /** Parts about which a range is published, and all. */
  parts_with_facts: z.int(),
  parts: z.int(),
  /** Artifacts of no known project. */
  unknown: z.int(),
  /** Artifacts that the offering upgrades with the cluster. */
  managed: z.int(),
  /** Artifacts of known projects that nothing ties to a version of Kubernetes. */
  others: z.int(),
})

export const UpgradePlan = z.object({ ...plan, basis: UpgradeBasis })
export type UpgradePlan = z.infer<typeof UpgradePlan>

/** The way of one project, without a cluster. */
export const ProjectPath = z.object({
  success: z.literal(true),
  catalog_date: z.string(),
  project_slug: z.string(),
  name: z.string(),
  from: z.string(),
  /** Null: there is no good version to go to. */
  to: z.nullable(z.string()),
  /** Why there is no way, or what else to know, in sentences. */
  because: z.array(z.string()),
  steps: z.array(UpgradeStep),
})
export type ProjectPath = z.infer<typeof ProjectPath>
