import * as z from 'zod/mini'
import { AnswerCoverage } from './answer-coverage.ts'
import { Coverage, FreshnessItem, RunningAdvisory } from './freshness.ts'
import { RunId } from './scan-finding.ts'
import {
  clusterPlace,
  Id,
  nullableText,
  optionalBoolean,
  optionalTexts,
  Severity,
  success,
  Timestamp,
  texts,
} from './shape.ts'
import { ArtifactState, Step } from './step.ts'

/** An outdated or affected artifact in a cluster's latest run. */
export const ImpactItem = z.extend(
  z.pick(FreshnessItem, {
    artifact_type: true,
    artifact_key: true,
    display_name: true,
    workloads: true,
    current_version: true,
    inherited_from_helm: true,
  }),
  {
    ...clusterPlace,
    run_id: RunId,
    /** Time of the scan. */
    seen_at: Timestamp,
    product_id: Id,
    product_name: z.string(),
    namespaces: texts,
    /** The release to upgrade to, and its version as published; null if there is none. */
    release_id: z.nullable(Id),
    wanted_version: nullableText,
    /** An extension: the requested release, or the first one that fixes the requested advisories. */
    fixed_in: z.optional(nullableText),
    /** An extension: the recommended step, as in freshness. */
    step: z.optional(z.nullable(Step)),
    /** An extension: why there is no step, in sentences. */
    step_reasons: optionalTexts,
    states: z.optional(z.array(ArtifactState)),
    severity: Severity,
    /** A fix of unknown severity has the severity `none`. */
    has_security_fix: optionalBoolean,
    /** If advisories were requested: those that affect it, worst first. */
    advisory_ids: optionalTexts,
    /** One of these advisories is known to be exploited. */
    exploited: optionalBoolean,
    /** False if the tag does not state the full version: `latest`, a digest, `1.30`. */
    is_certain: z.boolean(),
    /** 0 to 1: certainty that the artifact belongs to the project. */
    confidence: z.number(),
  },
)
export type ImpactItem = z.infer<typeof ImpactItem>

/** An advisory about a running project, with the number of artifacts that it affects. */
export const ImpactAdvisory = z.extend(
  z.pick(RunningAdvisory, { id: true, aliases: true, severity: true, score: true, published: true, exploited: true }),
  {
    product_id: Id,
    product_name: z.string(),
    clusters: z.int(),
    artifacts: z.int(),
    /** False if it only affects artifacts whose tags do not state the version. */
    is_certain: z.boolean(),
  },
)
export type ImpactAdvisory = z.infer<typeof ImpactAdvisory>

export const Impact = z.object({
  ...success,
  catalog_date: z.string(),
  /** Releases that fix the requested advisories; empty if a project was requested, or nothing. */
  releases: z.array(z.object({ release_id: Id, product_id: Id, version: z.string() })),
  /** If advisories were requested: those in the catalog that affect or may affect running artifacts, worst first. */
  advisories: z.optional(z.array(ImpactAdvisory)),
  /** If one advisory was requested: whether the catalog knows which versions it affects. */
  has_ranges: optionalBoolean,
  /** Number of clusters whose latest run was searched, and of affected items in them. */
  summary: z.object({
    clusters_seen: z.int(),
    clusters: z.int(),
    namespaces: z.int(),
    workloads: z.int(),
    artifacts: z.int(),
  }),
  /** Coverage of all searched runs. */
  coverage: z.optional(Coverage),
  looked_at: z.optional(AnswerCoverage),
  items: z.array(ImpactItem),
})
export type Impact = z.infer<typeof Impact>
