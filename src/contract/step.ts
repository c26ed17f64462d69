import * as z from 'zod/mini'
import { Eol } from './eol.ts'
import { nullableText, optionalText, type Severity, texts } from './shape.ts'
import { artifactStates, projectFates } from './state-choices.ts'

/** Advisories by severity; `exploited` ones are counted among their severity as well. */
export const AdvisoryCounts = z.object({
  critical: z.int(),
  high: z.int(),
  medium: z.int(),
  low: z.int(),
  /** Advisories of severity `none`, or without one in any database. */
  unrated: z.int(),
  exploited: z.int(),
})
export type AdvisoryCounts = z.infer<typeof AdvisoryCounts>

export const noAdvisories: AdvisoryCounts = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0, exploited: 0 }

export function countAdvisories(
  advisories: readonly { severity: Severity | null; exploited?: unknown }[],
): AdvisoryCounts {
  const counts = { ...noAdvisories }
  for (const { severity, exploited } of advisories) {
    counts[severity === null || severity === 'none' ? 'unrated' : severity]++
    if (exploited) counts.exploited++
  }
  return counts
}

/** A version to upgrade to, checked against all facts in the catalog. */
export const Step = z.object({
  /** In the format of the running version. */
  version: z.string(),
  /** The image with its tag, if the running tag shows the format of tags. */
  image: optionalText,
  /** The chart: the artifact itself, or the one that installs the image. */
  chart: optionalText,
  /** Intermediate versions on the way, in order. */
  via: texts,
  /** Advisories about the running version that it fixes, and those that remain. */
  fixes: AdvisoryCounts,
  leaves: AdvisoryCounts,
  /** Ids of advisories that affect it and not the running version. */
  gains: texts,
  /** Other things to know about it, in sentences. */
  because: texts,
  /** Its release cycle, if no longer supported, with its common name: `Ubuntu 20.04`. */
  out_of_support: z.optional(z.extend(Eol, { name: z.string() })),
})
export type Step = z.infer<typeof Step>

/** Recommended steps from the running version. Null if there is none. */
export const Steps = z.object({
  /** The smallest step that fixes all critical, high or exploited advisories, or else most of them. */
  urgent: z.nullable(Step),
  /** The smallest step that leaves no known advisory. */
  clean: z.nullable(Step),
  /** The newest release of the running line: its release cycle, or else its minor version. */
  line: z.nullable(Step),
  /** The newest release of the next supported line. */
  next: z.nullable(Step),
  newest: z.nullable(Step),
})
export type Steps = z.infer<typeof Steps>

export const ArtifactState = z.enum(artifactStates)
export type ArtifactState = z.infer<typeof ArtifactState>

/** Why an artifact is in a state. */
export const StateReason = z.object({
  state: ArtifactState,
  /** A day, a month or a year; null if the source states none. */
  since: nullableText,
  /** The reason, as a sentence. */
  what: z.string(),
  source: nullableText,
  /** Slugs of projects, or else names. */
  successors: texts,
  /** The last release of a retired project, if known. */
  last_release: optionalText,
})
export type StateReason = z.infer<typeof StateReason>

/** A fact that does not affect an artifact's state. */
export const ArtifactNote = z.object({
  kind: z.enum([...projectFates, 'paid']),
  since: nullableText,
  what: z.string(),
  source: nullableText,
  successors: texts,
})
export type ArtifactNote = z.infer<typeof ArtifactNote>
