import * as z from 'zod/mini'
import { Eol } from './eol.ts'
import type { Severity } from './shape.ts'
import { artifactStates, projectFates } from './state-choices.ts'

/** Advisories by severity; `exploited` ones are counted among their severity as well. */
export const AdvisoryCounts = z.object({
  critical: z.int(),
  high: z.int(),
  medium: z.int(),
  low: z.int(),
  /** Of no severity, or of one that no database states. */
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

/** A version to upgrade to, checked against everything that the catalog knows. */
export const Step = z.object({
  /** Written like the running version. */
  version: z.string(),
  /** The image with its tag, where the running tag says how tags are written. */
  image: z.optional(z.string()),
  /** The chart: the artifact itself, or the one that installs the image. */
  chart: z.optional(z.string()),
  /** Versions to stop at on the way, in order. */
  via: z.array(z.string()),
  /** Advisories of what runs that it fixes, and that stay. */
  fixes: AdvisoryCounts,
  leaves: AdvisoryCounts,
  /** Ids of advisories that affect it and not what runs. */
  gains: z.array(z.string()),
  /** What else to know of it, in sentences. */
  because: z.array(z.string()),
  /** Its release cycle where the support of that has ended, with its usual name: `Ubuntu 20.04`. */
  out_of_support: z.optional(z.extend(Eol, { name: z.string() })),
})
export type Step = z.infer<typeof Step>

/** The steps from what runs. Each is null where there is none. */
export const Steps = z.object({
  /** The smallest step that fixes everything critical, high or exploited, else the one that fixes most of it. */
  urgent: z.nullable(Step),
  /** The smallest step after which no known advisory is left. */
  clean: z.nullable(Step),
  /** The newest of the running line: its release cycle, else its minor version. */
  line: z.nullable(Step),
  /** The newest of the next supported line. */
  next: z.nullable(Step),
  newest: z.nullable(Step),
})
export type Steps = z.infer<typeof Steps>

export const ArtifactState = z.enum(artifactStates)
export type ArtifactState = z.infer<typeof ArtifactState>

/** Why an artifact is in a state. */
export const StateReason = z.object({
  state: ArtifactState,
  /** A day, a month or a year; null where the source says none. */
  since: z.nullable(z.string()),
  /** A sentence. */
  what: z.string(),
  source: z.nullable(z.string()),
  /** Slugs of projects, else names. */
  successors: z.array(z.string()),
  /** The last release of a retired project, where it is known. */
  last_release: z.optional(z.string()),
})
export type StateReason = z.infer<typeof StateReason>

/** A fact that changes nothing about an artifact's state. */
export const ArtifactNote = z.object({
  kind: z.enum([...projectFates, 'paid']),
  since: z.nullable(z.string()),
  what: z.string(),
  source: z.nullable(z.string()),
  successors: z.array(z.string()),
})
export type ArtifactNote = z.infer<typeof ArtifactNote>
