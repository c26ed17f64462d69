import * as z from 'zod/mini'
import { apiWitnesses } from './choices.ts'

/** A CustomResourceDefinition, compared with the controller that serves it. */
export const CustomResource = z.object({
  /** `certificates.cert-manager.io` */
  name: z.string(),
  kind: z.string(),
  versions: z.array(
    z.object({ name: z.string(), is_served: z.boolean(), is_storage: z.boolean(), is_deprecated: z.boolean() }),
  ),
  /** Versions in which objects may be stored. */
  stored_versions: z.array(z.string()),
  /** Versions that are deprecated or no longer served but still in use, with the evidence. */
  deprecated_in_use: z.array(z.object({ version: z.string(), by: z.array(z.enum(apiWitnesses)) })),
  /** Version of its project or chart; null if it states none. */
  version: z.nullable(z.string()),
  /** The label or annotation that states the version. */
  version_from: z.nullable(z.string()),
  /** The image, workload or chart that its version is compared with; null if unknown. */
  controller: z.nullable(z.string()),
  controller_version: z.nullable(z.string()),
  /** `older`: the controller was upgraded and the definition was not. */
  state: z.enum(['equal', 'older', 'newer', 'unknown']),
  /** Why the state is unknown; null otherwise. */
  unknown_because: z.nullable(z.string()),
  /** How to upgrade an older definition to the version of its controller: a command, or a sentence. */
  step: z.nullable(z.string()),
})
export type CustomResource = z.infer<typeof CustomResource>
