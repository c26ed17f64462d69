import * as z from 'zod/mini'
import { Eol } from './eol.ts'

const nodeParts = ['os', 'runtime', 'kubelet', 'kernel'] as const
export type NodePart = (typeof nodeParts)[number]

/** A kubelet's minor version against that of the API server. */
export const NodeSkew = z.object({
  state: z.enum(['ok', 'too_old', 'too_new', 'unknown']),
  /** As a clause. */
  says: z.string(),
  /** Minor versions; negative for a newer kubelet, null where a version is not known. */
  older: z.nullable(z.int()),
  /** How many minor versions it may be older; null where no rule is known. */
  allowed_older: z.nullable(z.int()),
  source: z.nullable(z.string()),
  as_of: z.nullable(z.string()),
})
export type NodeSkew = z.infer<typeof NodeSkew>

/** One component, such as the kubelet, of all nodes that run the same version of it. */
export const NodeComponent = z.object({
  part: z.enum(nodeParts),
  /** `Ubuntu 22.04@22.04`, for exceptions. */
  artifact_key: z.string(),
  /** As the nodes say it: `Ubuntu 22.04.5 LTS`. */
  display_name: z.string(),
  /** Slug of the catalog or of endoflife.date; null for a form that is not known. */
  slug: z.nullable(z.string()),
  version: z.nullable(z.string()),
  nodes_count: z.int(),
  /** Names, sorted; at most 20. */
  nodes: z.array(z.string()),
  /** Null: not known. Absent for a kernel, which is supported with its system. */
  eol: z.optional(z.nullable(Eol)),
  /** Why the end of support is not known, as a clause. */
  eol_unknown: z.optional(z.string()),
  /** Where the end of support is from, and the day of these facts. */
  source: z.optional(z.string()),
  as_of: z.optional(z.string()),
  /** Of a kubelet. */
  skew: z.optional(NodeSkew),
})
export type NodeComponent = z.infer<typeof NodeComponent>

/** A source of the inventory that could not be read. */
export const UnreadSource = z.object({ source: z.string(), reason: z.string() })
export type UnreadSource = z.infer<typeof UnreadSource>
