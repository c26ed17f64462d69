import * as z from 'zod/mini'

/** A chart that an object in the cluster asks for, compared with the one that runs. */
export const WantedChart = z.object({
  /** `argo-cd`, `flux` or `k3s`. */
  tool: z.string(),
  kind: z.string(),
  namespace: z.nullable(z.string()),
  name: z.string(),
  /** Null for content from git alone, which has no version. */
  chart: z.nullable(z.string()),
  repository: z.nullable(z.string()),
  /** As written in the object; null if there is none. */
  wanted_version: z.nullable(z.string()),
  /** A single version, rather than a branch or range. */
  is_exact: z.boolean(),
  running_version: z.nullable(z.string()),
  /** `unknown` if no exact version is wanted, or the running version is unknown. */
  state: z.enum(['equal', 'drifted', 'unknown']),
  /** Key of the chart among the artifacts; null if it is not known to be running. */
  artifact_key: z.nullable(z.string()),
  newest_version: z.nullable(z.string()),
  /** The newest version in the range; null if not a range, or unknown. */
  newest_in_range: z.optional(z.nullable(z.string())),
  /** Version of the next step from the running version, or else from the wanted one. */
  next_version: z.nullable(z.string()),
})
export type WantedChart = z.infer<typeof WantedChart>
