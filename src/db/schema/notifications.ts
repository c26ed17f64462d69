import type { ChannelName, WebhookName } from '../../contract/channels.ts'
import type { DeliveryState } from '../../contract/delivery.ts'
import type { DeliveryKind, EmailFrequency } from '../../contract/subscription.ts'
import { owner, user } from './accounts.ts'
import { project } from './catalog.ts'
import { cluster } from './runs.ts'
import { sealed } from './sealed.ts'
import { blob, id, integer, reference, table, text, time } from './table.ts'

export const subscription = table(
  'subscription',
  {
    id: id('once'),
    user_id: reference(user),
    project_id: reference(project),
    email_enabled: integer(),
    email_frequency: text<EmailFrequency>(),
    release_types_filter: text(),
    webhook_release_types: text(),
    use_global_webhooks: integer(),
    notifications_paused: integer(),
    created_at: time(),
  },
  { unique: [['user_id', 'project_id']], indexes: { subscription_by_project: ['project_id'] } },
)

export const label = table(
  'label',
  { id: id('once'), user_id: reference(user), name: text(), color: text() },
  { unique: [['user_id', 'name']] },
)

export const subscriptionLabel = table(
  'subscription_label',
  { subscription_id: reference(subscription), label_id: reference(label) },
  {
    primaryKey: ['subscription_id', 'label_id'],
    isWithoutRowId: true,
    indexes: { subscription_label_by_label: ['label_id'] },
  },
)

/** The secret address of a channel, for an account or one of its subscriptions. */
export const webhook = table(
  'webhook',
  {
    id: id(),
    /** The account, which the seal is bound to. */
    user_id: reference(user),
    /** Null for the account's own webhook. */
    subscription_id: reference(subscription).orNull(),
    channel: text<WebhookName>(),
    ...sealed,
    made_by: text().orNull(),
  },
  {
    indexes: {
      webhook_of_account: { on: ['user_id', 'channel'], isUnique: true, where: 'subscription_id is null' },
      webhook_of_subscription: { on: ['subscription_id', 'channel'], isUnique: true },
      webhook_by_user: ['user_id'],
      webhook_by_key: ['key_id'],
    },
  },
)

/** A secret that signs the generic webhook of an account or one of its subscriptions. */
export const signingSecret = table(
  'signing_secret',
  {
    id: id(),
    /** The account, which the seal is bound to. */
    user_id: reference(user),
    /** Null for the account's own secret. */
    subscription_id: reference(subscription).orNull(),
    created_at: time(),
    /** Null for the current secret; a rotated one is valid until this time. */
    valid_until: time().orNull(),
    ...sealed,
  },
  {
    indexes: {
      signing_secret_by_user: ['user_id'],
      signing_secret_by_subscription: ['subscription_id'],
      signing_secret_by_key: ['key_id'],
    },
  },
)

/** One receiver: a channel of an account or subscription. Its messages are sent in sequence. */
export const deliveryTarget = table(
  'delivery_target',
  {
    id: id(),
    user_id: reference(user),
    channel: text<ChannelName>(),
    /** Null: uses the account's address. */
    subscription_id: reference(subscription).orNull(),
    /** When a sender must check it; while one is sending, the end of its lease. Null: no message waits. */
    next_at: time().orNull(),
    /** Name of the lease of the current sender. */
    lease: text().orNull(),
    /** Null if the last attempt succeeded, or there was none. */
    failing_since: time().orNull(),
    /** Null if the target is enabled. */
    off_at: time().orNull(),
    off_reason: text().orNull(),
  },
  {
    indexes: {
      delivery_target_by_place: { on: 'user_id, channel, coalesce(subscription_id, 0)', isUnique: true },
      delivery_target_by_subscription: ['subscription_id'],
      delivery_target_due: { on: ['next_at'], where: 'next_at is not null' },
    },
  },
)

/** Consecutive failures of a host; a host without a row has none. */
export const deliveryHost = table(
  'delivery_host',
  {
    host: text().primaryKey(),
    failures: integer(),
    /** The host is not called before this time. */
    open_until: time(),
  },
  { isWithoutRowId: true },
)

/** The outbox: a message and its state. */
export const delivery = table(
  'delivery',
  {
    id: id('once'),
    /** `msg_…`; the same for all attempts. */
    public_id: text().unique(),
    user_id: reference(user),
    created_at: time(),
    kind: text<DeliveryKind>(),
    channel: text<ChannelName>(),
    /** Null: skipped because there is no address, or the target was deleted. */
    target_id: reference(deliveryTarget, 'set null').orNull(),
    /** Shortened: does not contain the secret of a webhook address. */
    target: text(),
    subscription_id: reference(subscription, 'set null').orNull(),
    project_id: reference(project, 'set null').orNull(),
    version: text().orNull(),
    /** JSON array of ids in the event log. */
    event_ids: text().orNull(),
    /** JSON, see `StoredDigest`. */
    digest: text().orNull(),
    status: text<DeliveryState>(),
    /** Null if it is finished. */
    not_before: time().orNull(),
    /** Number of completed attempts. */
    attempts: integer(),
    http_status: integer().orNull(),
    error: text().orNull(),
    finished_at: time().orNull(),
  },
  {
    indexes: {
      delivery_by_user: ['user_id', 'id'],
      delivery_by_subscription: ['subscription_id'],
      delivery_by_project: ['project_id'],
      delivery_by_time: ['created_at'],
      delivery_waiting: { on: ['target_id', 'not_before'], where: 'not_before is not null' },
      delivery_mail: {
        on: ['user_id', 'project_id', 'not_before'],
        where: `channel = 'email' and status = 'pending'`,
      },
    },
  },
)

/** When an account's digest is due, and where the last one ended. */
export const digestSchedule = table(
  'digest_schedule',
  {
    user_id: reference(user),
    /** `fleet`: the weekly report on all clusters. */
    period: text<'daily' | 'weekly' | 'fleet'>(),
    /** Hour, weekday and time zone that `next_at` is based on. */
    rule: text(),
    next_at: time(),
    /** End of the period of the last digest. */
    since: time(),
    /** Id of the last event that digests have processed. */
    last_event: integer(),
  },
  {
    primaryKey: ['user_id', 'period'],
    isWithoutRowId: true,
    indexes: { digest_schedule_due: ['next_at'] },
  },
)

/** Something that happened at one time. Rows are added and expire, but never change. */
export const eventLog = table(
  'event_log',
  {
    id: id('once'),
    type: text(),
    at: time(),
    /** Null for events of the catalog. */
    owner_id: reference(owner).orNull(),
    project_id: reference(project).orNull(),
    cluster_id: reference(cluster).orNull(),
    /** Identifies an event that is recorded only once; null if it may repeat. */
    key: text().orNull().unique(),
    /** JSON. */
    data: text(),
  },
  {
    indexes: {
      event_log_by_time: ['at'],
      event_log_by_owner: ['owner_id'],
      event_log_by_project: ['project_id'],
      event_log_by_cluster: ['cluster_id'],
    },
  },
)

/** The secret address of an Atom feed. */
export const feed = table(
  'feed',
  {
    id: id(),
    public_id: text().unique(),
    user_id: reference(user),
    /** The account or team whose subscriptions it covers. */
    owner_id: reference(owner),
    token_hash: blob().unique(),
    created_at: time(),
    last_used_at: time().orNull(),
    tag: blob().orNull(),
    made_by: text().orNull(),
    /** When the key that created it expires. */
    expires_at: time().orNull(),
  },
  { indexes: { feed_by_user: ['user_id'], feed_by_owner: ['owner_id'] } },
)
