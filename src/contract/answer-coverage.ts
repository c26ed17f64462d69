import * as z from 'zod/mini'
import { RunId } from './scan-finding.ts'
import { clusterPlace, optionalInt, optionalText, optionalTrue, Timestamp } from './shape.ts'

/** A cluster, with the latest run that has an inventory. */
export const SeenCluster = z.object({
  ...clusterPlace,
  run_id: RunId,
  /** Time of the scan. */
  seen_at: Timestamp,
  /** Number of images, charts and apps. */
  artifacts: z.int(),
  /** Number of artifacts with a known project and a version in the tag. */
  known: optionalInt,
})

/** An extension: the data that an answer is based on, so that an empty one is not mistaken for an all-clear. */
export const AnswerCoverage = z.object({
  /** Number of projects that the caller subscribes to. */
  subscriptions: optionalInt,
  /** Number of projects in question: subscribed to, or known to be running. */
  projects: z.int(),
  /** Number of these projects with security facts in the catalog. */
  security_known: z.int(),
  clusters: z.optional(z.array(SeenCluster)),
  /** Number of artifacts that lack a security fix from before the requested period. */
  behind_older_fixes: optionalInt,
  /** Present if the answer contains only the newest releases. */
  truncated: optionalTrue,
})
export type AnswerCoverage = z.infer<typeof AnswerCoverage>

/** Fields of answers about releases. */
export const basis = { catalog_date: optionalText, looked_at: z.optional(AnswerCoverage) }
