import * as z from 'zod/mini'
import { Eol } from './eol.ts'
import { nullableInt, nullableText, optionalText, texts } from './shape.ts'

const nodeParts = ['os', 'runtime', 'kubelet'] as const
export type NodePart = (typeof nodeParts)[number]

/** Version skew between a kubelet and the API server, in minor versions. */
export const NodeSkew = z.object({
  state: z.enum(['ok', 'too_old', 'too_new', 'unknown']),
  /** The assessment, as a clause. */
  says: z.string(),
  /** Difference in minor versions; negative for a newer kubelet, null if a version is unknown. */
  older: nullableInt,
  /** How many minor versions it may be older; null if no rule is known. */
  allowed_older: nullableInt,
  source: nullableText,
  as_of: nullableText,
})
export type NodeSkew = z.infer<typeof NodeSkew>

/** A component, such as the kubelet, of all nodes with the same version of it. */
export const NodeComponent = z.object({
  part: z.enum(nodeParts),
  /** `Ubuntu 22.04@22.04`, used in exceptions. */
  artifact_key: z.string(),
  /** As reported by the nodes: `Ubuntu 22.04.5 LTS`. */
  display_name: z.string(),
  /** Slug in the catalog or on endoflife.date; null if not recognized. */
  slug: nullableText,
  version: nullableText,
  nodes_count: z.int(),
  /** Node names, sorted; at most 20. */
  nodes: texts,
  /** Null if unknown. */
  eol: z.nullable(Eol),
  /** Why the support end is unknown, as a clause. */
  eol_unknown: optionalText,
  /** Source of the support end, and the day of these facts. */
  source: optionalText,
  as_of: optionalText,
  /** Only for a kubelet. */
  skew: z.optional(NodeSkew),
})
export type NodeComponent = z.infer<typeof NodeComponent>

/** A resource that the inventory could not read. */
export const UnreadSource = z.object({ source: z.string(), reason: z.string() })
export type UnreadSource = z.infer<typeof UnreadSource>
