import * as z from 'zod/mini'

/** A chart that an object in the cluster asks for, beside the one that runs. */
export const WantedChart = z.object({
  /** `argo-cd`, `flux` or `k3s`. */
  tool: z.string(),
  kind: z.string(),
  namespace: z.nullable(z.string()),
  name: z.string(),
  /** Null for what comes from git alone, which names no version. */
  chart: z.nullable(z.string()),
  repository: z.nullable(z.string()),
  /** As written; null for none. */
  wanted_version: z.nullable(z.string()),
  /** One version: no branch and no range. */
  is_exact: z.boolean(),
  running_version: z.nullable(z.string()),
  /** `unknown` where no exact version is wanted, or it is not known what runs. */
  state: z.enum(['equal', 'drifted', 'unknown']),
  /** Key of the chart among the artifacts; null where it is not known to run. */
  artifact_key: z.nullable(z.string()),
  newest_version: z.nullable(z.string()),
  /** The newest that a range allows; null for other versions, and where none is known. */
  newest_in_range: z.optional(z.nullable(z.string())),
  /** The next step, of what runs, else of what is wanted. */
  next_version: z.nullable(z.string()),
})
export type WantedChart = z.infer<typeof WantedChart>
