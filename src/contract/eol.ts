import * as z from 'zod/mini'

/** The release cycle that a version belongs to, and the end of its support. */
export const Eol = z.object({
  cycle: z.string(),
  /** The last day of support; null if unknown. */
  date: z.nullable(z.string()),
  is_eol: z.boolean(),
  is_lts: z.optional(z.boolean()),
  /** The last release of the cycle by endoflife.date, where it is known. */
  latest: z.optional(z.string()),
  /** Of Kubernetes: the offering whose standard support this is, such as `EKS`, or `upstream`. */
  by: z.optional(z.string()),
  /** The last day of the offering's extended support, which is paid for. */
  extended_until: z.optional(z.string()),
  /** Of Kubernetes: where the end is from, and the day of these facts. */
  source: z.optional(z.string()),
  as_of: z.optional(z.string()),
})
export type Eol = z.infer<typeof Eol>
