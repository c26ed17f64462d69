import * as z from 'zod/mini'
import { keyScopes } from './choices.ts'
import { FeedAddress } from './feed.ts'
import { ReportFormat, RunId } from './scan-finding.ts'
import { clusterPlace, Id, nullableText, nullableTime, requiredText, success, Timestamp, timeIn } from './shape.ts'
import { Membership, TeamRole } from './team.ts'

const KeyUuid = z.string().check(z.regex(/^[0-9a-f-]{1,64}$/))

/** `read` may call GET routes, `upload` submits reports, `all` has all permissions of its user. */
export const KeyScope = z.enum(keyScopes)
export type KeyScope = z.infer<typeof KeyScope>

/** Fields from `expires_at` on are extensions. */
export const ApiKey = z.object({
  uuid: z.string().check(z.regex(/^[0-9a-f-]+$/)),
  name: z.string(),
  created: Timestamp,
  /** Null for a key that does not expire. */
  expires_at: nullableTime,
  scope: KeyScope,
  /** Rounded to the hour; null for an unused key. */
  last_used: nullableTime,
  /** Uuid of a key, or `password of ID`; null for a key created by an admin of the store. */
  made_by: nullableText,
  /** Uuid of the key that it replaced in a rotation. */
  replaces: nullableText,
})
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeyInput = z.object({
  name: requiredText(100),
  expires_at: z.optional(timeIn),
  scope: z._default(KeyScope, 'all'),
  /** A key of the caller to be replaced; the new key is then not a child of the caller's key. */
  replaces: z.optional(KeyUuid),
})
export type ApiKeyInput = z.infer<typeof ApiKeyInput>

const runPlace = z.object({ run_id: RunId, ...clusterPlace, format: ReportFormat })

/** Everything created with a key, directly or through keys created with it. */
export const MadeByKey = z.object({
  ...success,
  keys: z.array(ApiKey),
  feeds: z.array(FeedAddress),
  webhooks: z.array(z.object({ channel: z.string(), subscription_id: z.nullable(Id) })),
  /** Members added to teams with the key. */
  members: z.array(z.object({ team: z.string(), login: z.string() })),
  /** Those that are active. */
  exceptions: z.array(z.object({ exception_id: z.string(), expires_on: z.string() })),
  /** Subjects that were ended with the key, by their latest run. Revoking begins them again. */
  subjects: z.array(runPlace),
  /** Runs that were taken in as baselines of the gate; passes that rest on them end, too. */
  baselines: z.array(runPlace),
  /** Runs of which workloads were split from those that had another name; revoking joins them again. */
  splits: z.array(runPlace),
  sessions: z.int(),
})
export type MadeByKey = z.infer<typeof MadeByKey>

/** Number of items revoked together with a key. */
export const EndedWithKey = z.object({
  keys: z.int(),
  feeds: z.int(),
  webhooks: z.int(),
  members: z.int(),
  exceptions: z.int(),
  subjects: z.int(),
  baselines: z.int(),
  splits: z.int(),
})

/** The caller and their API key; absent for the local store and for a session opened with a password. */
export const CurrentKey = z.object({
  ...success,
  user_login: z.string(),
  plan: z.string(),
  key: z.optional(ApiKey),
  /** The team that the caller acts for in this request; null for their own account. An extension, like `teams`. */
  team: z.optional(z.nullable(z.object({ name: z.string(), role: TeamRole }))),
  teams: z.optional(z.array(Membership)),
})
