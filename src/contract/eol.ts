import * as z from 'zod/mini'
import { nullableText, optionalBoolean, optionalText } from './shape.ts'

/** The release cycle that a version belongs to, and the end of its support. */
export const Eol = z.object({
  cycle: z.string(),
  /** Last day of support; null if unknown. */
  date: nullableText,
  is_eol: z.boolean(),
  is_lts: optionalBoolean,
  /** Last release of the cycle according to endoflife.date, if known. */
  latest: optionalText,
  /** For Kubernetes: the offering with this standard support, such as `EKS`, or `upstream`. */
  by: optionalText,
  /** Last day of the offering's paid extended support. */
  extended_until: optionalText,
  /** For Kubernetes: the source of the support end, and the day of these facts. */
  source: optionalText,
  as_of: optionalText,
})
export type Eol = z.infer<typeof Eol>
