import * as z from 'zod/mini'
import { nullableText } from './shape.ts'

/** A chart that an object in the cluster asks for, compared with the one that runs. */
export const WantedChart = z.object({
  /** `argo-cd`, `flux` or `k3s`. */
  tool: z.string(),
  kind: z.string(),
  namespace: nullableText,
  name: z.string(),
  /** Null for content from git alone, which has no version. */
  chart: nullableText,
  repository: nullableText,
  /** As written in the object; null if there is none. */
  wanted_version: nullableText,
  /** A single version, rather than a branch or range. */
  is_exact: z.boolean(),
  running_version: nullableText,
  /** `unknown` if no exact version is wanted, or the running version is unknown. */
  state: z.enum(['equal', 'drifted', 'unknown']),
  /** Key of the chart among the artifacts; null if it is not known to be running. */
  artifact_key: nullableText,
  newest_version: nullableText,
  /** The newest version in the range; null if not a range, or unknown. */
  newest_in_range: z.optional(nullableText),
  /** Version of the next step from the running version, or else from the wanted one. */
  next_version: nullableText,
})
export type WantedChart = z.infer<typeof WantedChart>
