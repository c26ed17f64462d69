import * as z from 'zod/mini'
import { nullableText, nullableTime, requiredText, text } from './shape.ts'

/** Owner of the resources that match. All given patterns must match; `*` matches any text. */
export const OwnerRule = z.object({
  owner: requiredText(100),
  /** Contact: a chat channel, address or person. */
  contact: z.optional(text(200)),
  /** Cluster name, or `name/environment`. */
  cluster: z.optional(text(253)),
  namespace: z.optional(text(253)),
  /** `web`, or with its kind: `deployment/web`. */
  workload: z.optional(text(300)),
})
export type OwnerRule = z.infer<typeof OwnerRule>

const mostOwnerRules = 1000

export const OwnerRulesInput = z.object({ owners: z.array(OwnerRule).check(z.maxLength(mostOwnerRules)) })

/** If several rules match, the last one determines the owner. */
export const OwnerRules = z.object({
  owners: z.array(OwnerRule),
  /** Null if never set. */
  changed_at: nullableTime,
  changed_by: nullableText,
})
export type OwnerRules = z.infer<typeof OwnerRules>

/** The owner named by labels of a workload such as `deployment/web`, or of the namespace if `workload` is null. */
export const OwnerLabel = z.object({ namespace: z.string(), workload: nullableText, owner: z.string() })
export type OwnerLabel = z.infer<typeof OwnerLabel>
