import * as z from 'zod/mini'
import { requiredText } from './shape.ts'
import { projectFates, releaseFaults, repositoryStates, upgradeRuleKinds } from './state-choices.ts'
import { ApiRemoval, BreakingChange, Compatibility } from './upgrade-facts.ts'

/** Facts that no list of releases tells: what is retired, withdrawn, moved or exploited, and how projects are upgraded. */

/** A day; the month or the year alone where the source says no more. */
const partialDay = z.string().check(z.regex(/^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/, 'a day: 2026-03-31'))
const day = z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'a day: 2026-03-31'))
const name = requiredText(300)
const names = z.array(name).check(z.maxLength(100))
const sentence = requiredText(1000)
/** `<2`, `>=3 <4`, or a pattern of tags such as `stable-2.*`. */
const line = requiredText(100)

export const ProjectFact = z.object({
  /** Of a catalog project. Without it, images and charts name what is meant. */
  slug: z.optional(name),
  name,
  state: z.enum(projectFates),
  /** Only these versions are meant. */
  line: z.optional(line),
  /** Only this chart of the project is meant. */
  chart: z.optional(name),
  since: z.optional(partialDay),
  /** The last day of security fixes. */
  security_fixes_until: z.optional(partialDay),
  last_release: z.optional(name),
  /** Slugs, else names. A hint, and no upgrade. */
  successors: z.optional(names),
  /** Fully qualified. Each stands for all that is below it. */
  image_repositories: z.optional(names),
  chart_names: z.optional(names),
  what: sentence,
  source: sentence,
  as_of: z.optional(partialDay),
})
export type ProjectFact = z.infer<typeof ProjectFact>

/** Releases that nobody should take. With a slug and an image, only that image of the project is meant. */
export const ReleaseFault = z.object({
  slug: z.optional(name),
  image_repository: z.optional(name),
  chart_name: z.optional(name),
  /** As tags of the image, else without `v`; or a range. */
  versions: z.union([z.array(name).check(z.minLength(1), z.maxLength(1000)), line]),
  kind: z.enum(releaseFaults),
  reason: sentence,
  /** The advisory about it. */
  advisory: z.optional(name),
  /** The first later release without this fault, which says nothing about others. */
  safe: z.optional(name),
  safe_by_line: z.optional(names),
  source: sentence,
})
export type ReleaseFault = z.infer<typeof ReleaseFault>

/** A repository of images or an address of charts; it stands for all that is below it, and the longest one counts. */
export const RepositoryFact = z.object({
  repository: name,
  /** Only this chart of the address. */
  chart: z.optional(name),
  state: z.enum(repositoryStates),
  since: z.optional(partialDay),
  moved_to: z.optional(name),
  /** The new place has versions from this one on. */
  from: z.optional(name),
  what: sentence,
  source: sentence,
})
export type RepositoryFact = z.infer<typeof RepositoryFact>

export const UpgradeRule = z.object({
  slug: name,
  rule: z.enum(upgradeRuleKinds),
  /** `max-minor-skip`: how many minors a step may cover. `required-stop`: the version to be at before `to`. */
  value: z.optional(z.union([z.int().check(z.gte(1), z.lte(100)), name])),
  from: z.optional(name),
  to: z.optional(name),
  note: sentence,
  source: sentence,
})
export type UpgradeRule = z.infer<typeof UpgradeRule>

/** A vulnerability that is known to be exploited. */
export const Exploited = z.object({
  /** The day it was listed. */
  since: day,
  /** The day by which agencies of the USA must have mended it. */
  due: z.nullable(day),
  ransomware: z.boolean(),
})
export type Exploited = z.infer<typeof Exploited>

const most = 100_000
/** A member with a slip would be silently without effect. */
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
