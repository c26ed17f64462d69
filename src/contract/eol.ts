import * as z from 'zod/mini'

/** The release cycle that a version belongs to, and the end of its support. */
export const Eol = z.object({
  cycle: z.string(),
  /** Last day of support; null if unknown. */
  date: z.nullable(z.string()),
  is_eol: z.boolean(),
  is_lts: z.optional(z.boolean()),
  /** Last release of the cycle according to endoflife.date, if known. */
  latest: z.optional(z.string()),
  /** For Kubernetes: the offering with this standard support, such as `EKS`, or `upstream`. */
  by: z.optional(z.string()),
  /** Last day of the offering's paid extended support. */
  extended_until: z.optional(z.string()),
  /** For Kubernetes: the source of the support end, and the day of these facts. */
  source: z.optional(z.string()),
  as_of: z.optional(z.string()),
})
export type Eol = z.infer<typeof Eol>
