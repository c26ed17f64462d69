import * as z from 'zod/mini'

/** A cluster in a hub's ClusterProfile. */
export const ClusterProfile = z.object({
  namespace: z.nullable(z.string()),
  name: z.string(),
  display_name: z.nullable(z.string()),
  /** The manager of the fleet, such as `open-cluster-management`. */
  manager: z.nullable(z.string()),
  kubernetes_version: z.nullable(z.string()),
  /** Null if the hub does not know it. */
  is_healthy: z.nullable(z.boolean()),
  /** `env=prod` */
  labels: z.array(z.string()),
})
export type ClusterProfile = z.infer<typeof ClusterProfile>
