import * as z from 'zod/mini'
import { RunId } from './scan-finding.ts'
import { Timestamp } from './shape.ts'

/** A cluster by its latest run that says what runs there. */
export const SeenCluster = z.object({
  cluster_name: z.string(),
  environment: z.string(),
  run_id: RunId,
  /** Time of the scan. */
  seen_at: Timestamp,
  /** Its images, charts and apps. */
  artifacts: z.int(),
  /** Number of measured artifacts: the catalog knows their project, and the tag states a version. */
  known: z.optional(z.int()),
})

/** An extension: what an answer rests on, so that an empty one is not read as an all-clear. */
export const AnswerCoverage = z.object({
  /** Projects that the caller is subscribed to. */
  subscriptions: z.optional(z.int()),
  /** Projects the answer is about: those subscribed to, or those that are known to run. */
  projects: z.int(),
  /** Number of these projects with security facts in the catalog. */
  security_known: z.int(),
  clusters: z.optional(z.array(SeenCluster)),
  /** Artifacts behind a security fix that was published before the period asked for. */
  behind_older_fixes: z.optional(z.int()),
  /** There when the answer holds only the newest of more releases. */
  truncated: z.optional(z.literal(true)),
})
export type AnswerCoverage = z.infer<typeof AnswerCoverage>

/** Fields of an answer about releases. */
export const basis = { catalog_date: z.optional(z.string()), looked_at: z.optional(AnswerCoverage) }
