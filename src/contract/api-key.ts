import * as z from 'zod/mini'
import { keyScopes } from './choices.ts'
import { FeedAddress } from './feed.ts'
import { Id, requiredText, Timestamp, timeIn } from './shape.ts'
import { Membership, TeamRole } from './team.ts'

const KeyUuid = z.string().check(z.regex(/^[0-9a-f-]{1,64}$/))

/** `read` calls GET routes, `upload` submits reports, `all` does whatever its user may do. */
export const KeyScope = z.enum(keyScopes)
export type KeyScope = z.infer<typeof KeyScope>

/** All from `expires_at` on are extensions. */
export const ApiKey = z.object({
  uuid: z.string().check(z.regex(/^[0-9a-f-]+$/)),
  name: z.string(),
  created: Timestamp,
  /** Null for a key that does not expire. */
  expires_at: z.nullable(Timestamp),
  scope: KeyScope,
  /** To the hour; null for an unused key. */
  last_used: z.nullable(Timestamp),
  /** The uuid of a key, or `password of ID`; null for a key from an admin of the store. */
  made_by: z.nullable(z.string()),
  /** The key that was rotated. */
  replaces: z.nullable(z.string()),
})
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeyInput = z.object({
  name: requiredText(100),
  expires_at: z.optional(timeIn),
  scope: z._default(KeyScope, 'all'),
  /** A key of the caller that this one takes the place of: it is no child of the key that asks. */
  replaces: z.optional(KeyUuid),
})
export type ApiKeyInput = z.infer<typeof ApiKeyInput>

/** What was made with a key, and with all keys that came of it. */
export const MadeByKey = z.object({
  success: z.literal(true),
  keys: z.array(ApiKey),
  feeds: z.array(FeedAddress),
  webhooks: z.array(z.object({ channel: z.string(), subscription_id: z.nullable(Id) })),
  /** Whom it let into a team. */
  members: z.array(z.object({ team: z.string(), login: z.string() })),
  sessions: z.int(),
})
export type MadeByKey = z.infer<typeof MadeByKey>

/** How much ended with a key. */
export const EndedWithKey = z.object({ keys: z.int(), feeds: z.int(), webhooks: z.int(), members: z.int() })

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
