import type { KeyScope } from '../../contract/api-key.ts'
import type { fleetReports, Weekday } from '../../contract/choices.ts'
import type { Severity } from '../../contract/shape.ts'
import type { Plan } from '../../contract/subscription.ts'
import type { TeamRole } from '../../contract/team.ts'
import { blob, id, integer, reference, table, text, time } from './table.ts'

export const team = table('team', { id: id(), name: text().unique(), created_at: time() })

/** Account of a person or program, or one for the notifications of a team. */
export const user = table(
  'user',
  {
    id: id(),
    login: text().unique(),
    email: text().orNull(),
    role: text<'user' | 'admin'>(),
    plan: text<Plan>(),
    created_at: time(),
    /** Password hash for browser sign-in; null for users without a password. */
    password_hash: text().orNull(),
    password_tag: blob().orNull(),
    role_tag: blob().orNull(),
    /** A disabled account cannot sign in with any credential. */
    disabled_at: time().orNull(),
    webhook_release_types: text().default('app,helm,pre'),
    /** IANA name of the time zone. */
    time_zone: text().default('UTC'),
    digest_hour: integer().default(8),
    digest_weekday: text<Weekday>().default('monday'),
    /** `22:00-07:00`, or empty. */
    quiet_hours: text().default(''),
    /** Security fixes of at least this severity are sent during quiet hours; `none`: all wait. */
    quiet_hours_except: text<Severity>().default('none'),
    min_severity: text<Severity>().default('none'),
    only_what_runs: integer().default(0),
    /** Comma-separated event types. */
    cluster_events: text().default(''),
    /** Comma-separated clusters and labels; empty: all clusters. */
    cluster_scope: text().default(''),
    /** 1: events of clusters are also sent by mail. */
    cluster_mails: integer().default(1),
    /** The team of this account. Nobody signs in to it, and it owns no clusters. */
    team_id: reference(team).orNull(),
    /** Comma-separated owners that digests cover; empty: all. */
    owner_scope: text().default(''),
    fleet_report: text<(typeof fleetReports)[number]>().default('off'),
  },
  { indexes: { user_by_team: { on: ['team_id'], isUnique: true, where: 'team_id is not null' } } },
)

export const teamMember = table(
  'team_member',
  {
    team_id: reference(team),
    user_id: reference(user),
    role: text<TeamRole>(),
    /** 1 for the team that the user acts for by default. */
    is_default: integer(),
    tag: blob().orNull(),
    made_by: text().orNull(),
  },
  {
    primaryKey: ['team_id', 'user_id'],
    isWithoutRowId: true,
    indexes: {
      team_member_by_user: ['user_id'],
      team_member_default: { on: ['user_id'], isUnique: true, where: 'is_default = 1' },
    },
  },
)

/** Owner of clusters, profiles and exceptions: a user or a team. Triggers add a row for each. */
export const owner = table(
  'owner',
  { id: id('once'), user_id: reference(user).orNull().unique(), team_id: reference(team).orNull().unique() },
  { check: '(user_id is null) <> (team_id is null)' },
)

/** An application password of a user, stored only as a keyed hash. */
export const apiKey = table(
  'api_key',
  {
    id: id(),
    uuid: text().unique(),
    user_id: reference(user),
    name: text(),
    secret_hash: blob().unique(),
    created_at: time(),
    last_used_at: time().orNull(),
    expires_at: time().orNull(),
    scope: text<KeyScope>().default('all'),
    /** See `tags.ts`; null grants nothing, here and in other tables. */
    tag: blob().orNull(),
  },
  { indexes: { api_key_by_user: ['user_id', 'id'] } },
)

/** Origin of a key. The row outlives the key while anything created with it is left. */
export const keyOrigin = table(
  'key_origin',
  {
    uuid: text().primaryKey(),
    user_id: reference(user),
    /** Maker: uuid of a key, or a password (see `makerFor`); null for an admin of the store. */
    made_by: text().orNull(),
    /** Uuid of the key that it replaced in a rotation. */
    replaces: text().orNull(),
  },
  { isWithoutRowId: true, indexes: { key_origin_by_user: ['user_id'] } },
)

export const session = table(
  'session',
  {
    token_hash: blob().primaryKey(),
    user_id: reference(user),
    nonce: text(),
    expires_at: time(),
    /** Null for a session that was opened with the account's password. */
    key_id: reference(apiKey).orNull(),
    tag: blob().orNull(),
  },
  { isWithoutRowId: true, indexes: { session_by_key: ['key_id'] } },
)

/** Addresses from which an account signed in with its password. */
export const knownAddress = table(
  'known_address',
  {
    user_id: reference(user),
    /** Keyed hash of an IP address or network. */
    address_hash: blob(),
    used_at: time(),
  },
  { primaryKey: ['user_id', 'address_hash'], isWithoutRowId: true },
)

/** The audit log. An entry's user may have been removed. */
export const audit = table(
  'audit',
  {
    id: id(),
    at: time(),
    user_id: integer().orNull(),
    login: text().orNull(),
    action: text(),
    subject: text().orNull(),
    request_id: text().orNull(),
  },
  { indexes: { audit_by_time: ['at'] } },
)
