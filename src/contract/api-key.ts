import * as z from 'zod/mini'
import { keyScopes } from './choices.ts'
import { requiredText, Timestamp, timeIn } from './shape.ts'
import { Membership, TeamRole } from './team.ts'

/** `read` calls GET routes, `upload` submits reports, `all` does whatever its user may do. */
export const KeyScope = z.enum(keyScopes)
export type KeyScope = z.infer<typeof KeyScope>

/** The last three are extensions. */
export const ApiKey = z.object({
  uuid: z.string().check(z.regex(/^[0-9a-f-]+$/)),
  name: z.string(),
  created: Timestamp,
  /** Null for a key that does not expire. */
  expires_at: z.nullable(Timestamp),
  scope: KeyScope,
  /** To the hour; null for an unused key. */
  last_used: z.nullable(Timestamp),
})
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeyInput = z.object({
  name: requiredText(100),
  expires_at: z.optional(timeIn),
  scope: z._default(KeyScope, 'all'),
})
export type ApiKeyInput = z.infer<typeof ApiKeyInput>

/** The caller, and the key that signs in; the store on this machine and the session of a password have none. */
export const CurrentKey = z.object({
  success: z.literal(true),
  user_login: z.string(),
  plan: z.string(),
  key: z.optional(ApiKey),
  /** The team that the caller acts for in this call; null for the own account. Extensions, as `teams` is. */
  team: z.optional(z.nullable(z.object({ name: z.string(), role: TeamRole }))),
  teams: z.optional(z.array(Membership)),
})
