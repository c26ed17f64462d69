import * as z from 'zod/mini'
import { requiredText, Timestamp, text } from './shape.ts'

/** Who is responsible for what matches. Each pattern that is given must match; `*` stands for any text. */
export const OwnerRule = z.object({
  owner: requiredText(100),
  /** A channel, an address or a person. */
  contact: z.optional(text(200)),
  /** Name of a cluster, or `name/environment`. */
  cluster: z.optional(text(253)),
  namespace: z.optional(text(253)),
  /** `web`, or with its kind: `deployment/web`. */
  workload: z.optional(text(300)),
})
export type OwnerRule = z.infer<typeof OwnerRule>

const mostOwnerRules = 1000

export const OwnerRulesInput = z.object({ owners: z.array(OwnerRule).check(z.maxLength(mostOwnerRules)) })

/** Of what matches several rules, the last one says who owns it. */
export const OwnerRules = z.object({
  owners: z.array(OwnerRule),
  /** Null: never set. */
  changed_at: z.nullable(Timestamp),
  changed_by: z.nullable(z.string()),
})
export type OwnerRules = z.infer<typeof OwnerRules>

/** The owner that labels name: of a workload such as `deployment/web`, or of the whole namespace where it is null. */
export const OwnerLabel = z.object({ namespace: z.string(), workload: z.nullable(z.string()), owner: z.string() })
export type OwnerLabel = z.infer<typeof OwnerLabel>
