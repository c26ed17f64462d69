import * as z from 'zod/mini'
import { requiredText } from './shape.ts'
import { projectFates, releaseFaults, repositoryStates, upgradeRuleKinds } from './state-choices.ts'
import { ApiRemoval, BreakingChange, Compatibility, partialDay } from './upgrade-facts.ts'

/**
 * Facts that are not in lists of releases: what is retired, withdrawn, moved or exploited, and how projects are upgraded.
 */

const day = z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'a day: 2026-03-31'))
const name = requiredText(300)
const names = z.array(name).check(z.maxLength(100))
const sentence = requiredText(1000)
/** `<2`, `>=3 <4`, or a pattern of tags such as `stable-2.*`. */
const line = requiredText(100)

export const ProjectFact = z.object({
  /** Slug of a catalog project. Without it, the images and charts are the subject. */
  slug: z.optional(name),
  name,
  state: z.enum(projectFates),
  /** Applies to these versions only. */
  line: z.optional(line),
  /** Applies to this chart of the project only. */
  chart: z.optional(name),
  since: z.optional(partialDay),
  /** The last day of security fixes. */
  security_fixes_until: z.optional(partialDay),
  last_release: z.optional(name),
  /** Slugs, or else names. A hint rather than an upgrade. */
  successors: z.optional(names),
  /** Fully qualified. Each includes all repositories below it. */
  image_repositories: z.optional(names),
  chart_names: z.optional(names),
  what: sentence,
  source: sentence,
  as_of: z.optional(partialDay),
})
export type ProjectFact = z.infer<typeof ProjectFact>

/** Releases that nobody should install. With a slug and an image, only that image of the project. */
export const ReleaseFault = z.object({
  slug: z.optional(name),
  image_repository: z.optional(name),
  chart_name: z.optional(name),
  /** Image tags, or else versions without `v`; or a range. */
  versions: z.union([z.array(name).check(z.minLength(1), z.maxLength(1000)), line]),
  kind: z.enum(releaseFaults),
  reason: sentence,
  /** Id of an advisory about the fault. */
  advisory: z.optional(name),
  /** The first later release without this fault. It may have others. */
  safe: z.optional(name),
  safe_by_line: z.optional(names),
  source: sentence,
  as_of: z.optional(partialDay),
})
export type ReleaseFault = z.infer<typeof ReleaseFault>

/** An image repository or chart URL, including all below it; the longest match counts. */
export const RepositoryFact = z.object({
  repository: name,
  /** Applies to this chart at the URL only. */
  chart: z.optional(name),
  state: z.enum(repositoryStates),
  since: z.optional(partialDay),
  moved_to: z.optional(name),
  /** First version at the new location. */
  from: z.optional(name),
  what: sentence,
  source: sentence,
  as_of: z.optional(partialDay),
})
export type RepositoryFact = z.infer<typeof RepositoryFact>

export const UpgradeRule = z.object({
  slug: name,
  rule: z.enum(upgradeRuleKinds),
  /** `max-minor-skip`: how many minor versions a step may skip. `required-stop`: the version required before `to`. */
  value: z.optional(z.union([z.int().check(z.gte(1), z.lte(100)), name])),
  from: z.optional(name),
  to: z.optional(name),
  note: sentence,
  source: sentence,
  as_of: z.optional(partialDay),
})
export type UpgradeRule = z.infer<typeof UpgradeRule>

/** A vulnerability that is known to be exploited. */
export const Exploited = z.object({
  /** Day on which it was listed. */
  since: day,
  /** Day by which US federal agencies must fix it. */
  due: z.nullable(day),
  ransomware: z.boolean(),
})
export type Exploited = z.infer<typeof Exploited>

const most = 100_000
/** Strict, because a misspelled member would silently have no effect. */
const toList = <T extends z.core.$ZodLooseShape>({ shape }: { shape: T }) =>
  z._default(z.array(z.strictObject(shape)).check(z.maxLength(most)), [])

/** A file of an organization's own facts. */
export const StateFactsFile = z.object({
  projects: toList(ProjectFact),
  releases: toList(ReleaseFault),
  repositories: toList(RepositoryFact),
  rules: toList(UpgradeRule),
  compatibility: toList(Compatibility),
  removals: toList(ApiRemoval),
  breaking: toList(BreakingChange),
  exploited: toList(
    z.extend(Exploited, {
      id: name,
      due: z._default(z.nullable(day), null),
      ransomware: z._default(z.boolean(), false),
    }),
  ),
})
export type StateFactsFile = z.infer<typeof StateFactsFile>
