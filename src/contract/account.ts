import * as z from 'zod/mini'
import { roles } from './choices.ts'
import { Id, nullableText, nullableTime, Timestamp } from './shape.ts'
import { Plan } from './subscription.ts'

/** Accounts as shown by their administration; no API route returns them. */

export const Email = z.string().check(
  z.maxLength(254, { error: 'must have at most 254 characters' }),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  z.regex(/^[^\s@\u0000-\u001f\u007f-\u009f]+@[^\s@\u0000-\u001f\u007f-\u009f]+$/, {
    error: 'must be an email address',
  }),
)

/** Password for browser sign-in. */
export const Password = z
  .string()
  .check(
    z.minLength(12, { error: 'must have at least 12 characters' }),
    z.maxLength(1000, { error: 'must have at most 1000 characters' }),
  )

export const Role = z.enum(roles)
export type Role = z.infer<typeof Role>

export const Account = z.object({
  id: Id,
  login: z.string(),
  email: nullableText,
  role: Role,
  plan: Plan,
  created: Timestamp,
  has_password: z.boolean(),
  /** Null for an enabled account. */
  disabled_at: nullableTime,
  /** Number of application passwords that have not been revoked. */
  keys: z.int(),
})
export type Account = z.infer<typeof Account>

export const AuditEntry = z.object({
  id: Id,
  at: Timestamp,
  user_id: z.nullable(Id),
  login: nullableText,
  action: z.string(),
  /** Subject of the action: id of a run, key or profile, or a login. */
  subject: nullableText,
  request_id: nullableText,
})
export type AuditEntry = z.infer<typeof AuditEntry>
