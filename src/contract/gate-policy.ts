import * as z from 'zod/mini'
import { nullableText, nullableTime } from './shape.ts'

export const PolicyInput = z.object({
  /** YAML with the key `gate`, as in `relt.yaml`; null removes the policy. */
  policy: z.nullable(z.string().check(z.maxLength(65_536))),
})

/** The policy for gates without rules of their own. */
export const StoredPolicy = z.object({
  /** Null if none is set. */
  policy: nullableText,
  changed_at: nullableTime,
  changed_by: nullableText,
})
export type StoredPolicy = z.infer<typeof StoredPolicy>
