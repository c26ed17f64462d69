import * as z from 'zod/mini'
import { ownAccount, teamRoles } from './choices.ts'
import { optionalNotificationSettings } from './notification-settings.ts'
import { Id, nullableText, nullableTime, optionalBoolean, requiredText, Timestamp, texts } from './shape.ts'

export const TeamRole = z.enum(teamRoles)
export type TeamRole = z.infer<typeof TeamRole>

/** The login of an account. */
export const Login = z.string().check(
  z.regex(/^[a-z0-9][a-z0-9._-]{0,59}$/, {
    error:
      'must have at most 60 lower-case letters, digits, dots, hyphens and underscores, and begin with a letter or digit',
  }),
)

export const TeamName = Login.check(
  z.refine((name) => name !== ownAccount, { error: `${ownAccount} is your own account` }),
)

/** A team that the caller belongs to. */
export const Membership = z.object({
  name: z.string(),
  role: TeamRole,
  /** Whether the caller acts for this team by default. */
  is_default: z.boolean(),
})
export type Membership = z.infer<typeof Membership>

export const TeamMember = z.object({ login: z.string(), role: TeamRole, is_default: z.boolean() })
export type TeamMember = z.infer<typeof TeamMember>

/** A team, as shown by the administration of a store. */
export const Team = z.object({
  name: z.string(),
  created: Timestamp,
  members: z.int(),
  clusters: z.int(),
  runs: z.int(),
  profiles: z.int(),
})
export type Team = z.infer<typeof Team>

/** Notification settings of the team itself. Its members have their own. */
export const TeamNotifications = z.object({
  email: nullableText,
  /** Webhooks with shortened addresses. */
  channels: z.array(z.object({ channel: z.string(), address: z.string() })),
  /** Number of projects that the team subscribes to. */
  subscriptions: z.int(),
  settings: z.object(optionalNotificationSettings),
  /** Null if the team has no policy, so gates use only their own rules. */
  gate_policy_changed_at: nullableTime,
})
export type TeamNotifications = z.infer<typeof TeamNotifications>

/** A team, as shown to its members. */
export const TeamDetails = z.object({
  ...Team.shape,
  notifications: z.optional(TeamNotifications),
  /** Role of the caller. */
  role: TeamRole,
  /** Owners first, then by login. */
  items: z.array(z.object({ login: z.string(), role: TeamRole })),
})
export type TeamDetails = z.infer<typeof TeamDetails>

/** A project that a team or its members subscribe to. */
export const FollowedProject = z.object({
  product_id: Id,
  name: z.string(),
  /** Sorted logins of the subscribers. */
  followers: texts,
  /** Whether the team itself subscribes to it. */
  by_team: optionalBoolean,
})
export type FollowedProject = z.infer<typeof FollowedProject>

export const TeamMemberInput = z.object({ login: requiredText(100), role: TeamRole })
export const TeamRoleInput = z.object({ role: TeamRole })
