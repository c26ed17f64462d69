import * as z from 'zod/mini'
import { exceptionStates, vexJustifications } from './choices.ts'
import { anyAdvisoryId } from './patterns.ts'
import { Finding, RunId } from './scan-finding.ts'
import {
  clusterPlace,
  documented,
  Id,
  IdIn,
  nullableText,
  nullableTime,
  optionalBoolean,
  optionalInt,
  requiredText,
  Timestamp,
} from './shape.ts'

const pattern = requiredText(300)

/**
 * What an exception matches: one finding by its fingerprint; findings by patterns of check, namespace and resource;
 * artifacts by patterns of key and namespace; or one advisory on artifacts that match these patterns. `*` matches any text.
 */
const target = {
  fingerprint: z.optional(z.string().check(z.regex(/^[0-9a-f]{32}$/, { error: 'must be 32 hex digits' }))),
  check: z.optional(pattern),
  namespace: z.optional(pattern),
  resource: z.optional(pattern),
  artifact: z.optional(pattern),
  advisory: z.optional(
    z
      .string()
      .check(z.maxLength(100), z.regex(new RegExp(anyAdvisoryId), { error: 'must be an id such as CVE-2026-1234' })),
  ),
  /** Why the advisory does not affect what runs, as an OpenVEX justification. */
  justification: z.optional(z.enum(vexJustifications)),
  /** Only in this cluster, or in clusters of this environment. Default: the cluster of the latest run with the finding. */
  cluster_name: z.optional(requiredText(253)),
  environment: z.optional(requiredText(100)),
}

/** `YYYY-MM-DD`. */
const Day = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/, { error: 'must be YYYY-MM-DD' }))

const dayPattern = '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'

export const ExceptionInput = z.object({
  ...target,
  /** Needed to apply beyond one cluster, and excludes `cluster_name`. */
  all_clusters: optionalBoolean,
  reason: requiredText(1000),
  /** The last day (UTC) on which it applies. */
  expires_on: documented(Day, { type: 'string', pattern: dayPattern }),
  /**
   * Id of the project whose next release ends it before that day, which is at most 180 days away. That is the first app or
   * chart release published after all that the catalog knows now, excluding pre-releases and withdrawn releases.
   */
  next_release_of: z.optional(IdIn),
})
export type ExceptionInput = z.infer<typeof ExceptionInput>

/** The release that ends an exception before its last day. */
const NextRelease = z.object({
  product_id: Id,
  slug: nullableText,
  name: z.string(),
  /** Null until the catalog knows one. */
  version: nullableText,
})

const ExceptedFinding = z.pick(Finding, {
  check_id: true,
  check_name: true,
  severity: true,
  namespace: true,
  resource: true,
  message: true,
})
export type ExceptedFinding = z.infer<typeof ExceptedFinding>

export const StoredException = z.object({
  exception_id: z.string(),
  fingerprint: nullableText,
  check: nullableText,
  namespace: nullableText,
  resource: nullableText,
  artifact: nullableText,
  advisory: nullableText,
  /** The finding that it names, as it was when the exception was added. */
  finding: z.optional(ExceptedFinding),
  justification: z.nullable(z.enum(vexJustifications)),
  /** Null: in all clusters. */
  cluster_name: nullableText,
  /** Null: in all environments. */
  environment: nullableText,
  reason: z.string(),
  expires_on: z.string(),
  /** Only for an exception that a release ends. */
  next_release: z.optional(NextRelease),
  /** An expired exception covers nothing. */
  state: z.enum(exceptionStates),
  created_at: Timestamp,
  /** Login of the creator. */
  created_by: z.string(),
  /** Set if a user or a release ended it before its last day. */
  ended_at: nullableTime,
  /** Null if a release ended it. */
  ended_by: nullableText,
  /** How many findings, artifacts or advisories of the latest runs it matches. Only if asked for. */
  matched: optionalInt,
  /** The runs among these whose gate failed, with how much it matches in each. Only if asked for. */
  failed_gates: z.optional(z.array(z.object({ ...clusterPlace, run_id: RunId, matched: z.int() }))),
})
export type StoredException = z.infer<typeof StoredException>
