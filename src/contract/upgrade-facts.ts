import * as z from 'zod/mini'
import { optionalBoolean, requiredText } from './shape.ts'

/** Facts for upgrade plans: Kubernetes versions that a release line supports, removed APIs, and breaking changes. */

const day = z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'a day: 2026-03-31'))
/** A day; or only a month or year if the source is no more precise. */
export const partialDay = z
  .string()
  .check(z.regex(/^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/, 'a day: 2026-03-31'))
const name = requiredText(300)
const sentence = requiredText(1000)
/** Leading numbers of a version: `1.33`, `77`. */
const line = z.string().check(z.regex(/^\d{1,9}(\.\d{1,9}){0,2}$/, 'a line such as 1.33'))
export const kubernetesMinor = z.string().check(z.regex(/^\d{1,3}\.\d{1,3}$/, 'a minor version such as 1.33'))

/**
 * The project's own words. `required`: a stated minimum or maximum. `stated`: it names a range without the words support or
 * test. `tested`: it does not promise more.
 */
export const compatibilityKinds = ['required', 'supported', 'stated', 'tested'] as const

/** The Kubernetes versions that a project's release line supports. */
export const Compatibility = z.object({
  slug: name,
  line,
  /** Null if not stated. */
  kubernetes_min: z._default(z.nullable(kubernetesMinor), null),
  kubernetes_max: z._default(z.nullable(kubernetesMinor), null),
  kind: z.enum(compatibilityKinds),
  /** The range applies from this release of the line on. */
  from_patch: z.optional(name),
  /** The text that states it, shortened. */
  text: z.optional(name),
  source: sentence,
  as_of: day,
})
export type Compatibility = z.infer<typeof Compatibility> & {
  own?: true
  /** The chart that states it, with the range in Helm's syntax. */
  chart?: { name: string; version: string; range: string; isMain: boolean }
}

const apiKind = z.object({ group: z.string(), version: name, kind: name })

/** An API version that is deprecated or removed by a release of Kubernetes or of a project. */
export const ApiRemoval = z.object({
  /** API group; empty for the core group. */
  group: z.string().check(z.maxLength(300)),
  version: name,
  kind: name,
  deprecated_in: z._default(z.nullable(line), null),
  /** First line without it; null if it is still served. */
  removed_in: z._default(z.nullable(line), null),
  replacement: z._default(z.nullable(apiKind), null),
  /** `kubernetes`, or the slug of the project that the versions belong to. */
  component: name,
  source: sentence,
  as_of: z.optional(partialDay),
  replacement_available_in: z.optional(line),
  /** Announced, but not in any release yet. */
  planned: optionalBoolean,
})
export type ApiRemoval = z.infer<typeof ApiRemoval>

/** A change in a project that may break its users. */
export const BreakingChange = z.object({
  slug: name,
  /** First line with the change. */
  version: name,
  what: sentence,
  action: sentence,
  who: sentence,
  source: sentence,
  as_of: z.optional(partialDay),
})
export type BreakingChange = z.infer<typeof BreakingChange>

/** Allowed version skew and upgrade order of a cluster's components, by Kubernetes or by an offering. */
export interface SkewRule {
  id: string
  /** `kubernetes`, or an offering. */
  scope: string
  component: string
  /** Applies to kubelets or the nodes that they run on. */
  of_nodes?: true
  relative_to: string | null
  rule: string
  value: number | string[] | null
  note: string
  source: string
  as_of: string
  from_version?: string
  to_version?: string
}

/** A component as a distribution ships it. */
export interface BundledComponent {
  distribution: string
  kubernetes: string
  slug: string
  version: string
  source: string
  as_of: string
}
