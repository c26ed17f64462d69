import * as z from 'zod/mini'
import { AnswerCoverage } from './answer-coverage.ts'
import { channelNames, eachWebhook, type WebhookChannel } from './channels.ts'
import { emailFrequencies, releaseTypes } from './choices.ts'
import { Label } from './label.ts'
import { optionalNotificationSettings } from './notification-settings.ts'
import { toList, webhookAddress } from './patterns.ts'
import { ReleaseType } from './project.ts'
import {
  documented,
  emptyIsNull,
  Id,
  IdIn,
  isAnyWebAddress,
  nullableInt,
  nullableText,
  nullableTime,
  optionalBoolean,
  optionalText,
  optionalTexts,
  Severity,
  success,
  Timestamp,
} from './shape.ts'

const localHost = '^https://([^/?#]*[.])?[Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]([:/?#]|$)'

export const Plan = z.enum(['free', 'pro', 'pro_plus'])
export type Plan = z.infer<typeof Plan>

export const EmailFrequency = z.enum(emailFrequencies)
export type EmailFrequency = z.infer<typeof EmailFrequency>

/** Comma-separated release types, such as `app,helm`; each at most once, in any order. */
export const ReleaseTypes = documented(
  z.string().check(
    z.maxLength(50),
    z.refine((value) => {
      const types = value.split(',').map((type) => type.trim())
      return types.every((type) => ReleaseType.safeParse(type).success) && new Set(types).size === types.length
    }, 'a comma-separated list of app, helm, pre'),
  ),
  { type: 'string', maxLength: 50, pattern: toList(releaseTypes) },
)

const webhookJson = { type: 'string', maxLength: 2000, pattern: webhookAddress, not: { pattern: localHost } }

export const neededWebhook = 'must be an https address with the name of a host'

/**
 * URL of a webhook. Must be https with a host name unless the operator allows more, because numeric addresses can be in the
 * server's own network. An empty string clears the webhook.
 */
export const WebhookUrl = documented(
  z.string().check(
    z.maxLength(2000),
    z.refine((value) => value === '' || isAnyWebAddress(value), neededWebhook),
  ),
  webhookJson,
)

/** Whether a webhook uses https and a host name other than this machine's. */
export function isPublicWebhook(value: string) {
  const { protocol, hostname, username, password } = new URL(value)
  const isLocal = /(^|\.)localhost\.?$/.test(hostname)
  return protocol === 'https:' && /(^|\.)[a-z][a-z0-9_-]*\.?$/.test(hostname) && !isLocal && username + password === ''
}

/** Adds the channel's own validation, for example of URLs that its service has retired. */
export function addressShape({ problemFor }: WebhookChannel): typeof WebhookUrl {
  if (!problemFor) return WebhookUrl
  const checked = WebhookUrl.check((context) => {
    const url = URL.parse(context.value)
    const problem = url ? problemFor(url) : undefined
    if (problem !== undefined) context.issues.push({ code: 'custom', message: problem, input: context.value })
  })
  return documented(checked, webhookJson)
}

export const Subscription = z.object({
  id: Id,
  user_id: Id,
  product_id: Id,
  /** Older name of `generic_webhook`; always equal to it. */
  webhook_url: nullableText,
  ...eachWebhook(() => nullableText),
  email_enabled: z.boolean(),
  email_frequency: EmailFrequency,
  release_types_filter: z.string(),
  webhook_release_types: z.string(),
  use_global_webhooks: z.boolean(),
  notifications_paused: z.boolean(),
  created_at: Timestamp,
  name: z.string(),
  logo_url: emptyIsNull(z.string()),
  description: z.string(),
  repo_url: z.string(),
  latest_release: z.nullable(
    z.object({ id: Id, version: z.string(), published_at: Timestamp, has_security_fix: z.boolean() }),
  ),
  labels: z.array(Label),
})
export type Subscription = z.infer<typeof Subscription>

export const FeedItem = z.object({
  product_id: Id,
  name: z.string(),
  version: z.string(),
  published_at: Timestamp,
  type: ReleaseType,
  has_security_fix: z.boolean(),
  /** An extension; `none` for a fix of unknown severity. */
  security_severity: z.optional(Severity),
  /** An extension: ids of advisories that the release fixes and that affect running artifacts, worst first. */
  fixes: optionalTexts,
  /** Extensions, present if requested by `mine`: number of running artifacts that are older. */
  release_id: z.optional(Id),
  affects: z.optional(
    z.object({
      clusters: z.int(),
      workloads: z.int(),
      artifacts: z.int(),
      /** False if it only concerns artifacts whose tags do not state the version. */
      is_certain: optionalBoolean,
    }),
  ),
})
export type FeedItem = z.infer<typeof FeedItem>

/** Null clears, like an empty text. */
const clearableWebhooks = eachWebhook((channel) => z.nullish(addressShape(channel)))

/** Changes only the given fields. */
export const SubscriptionSettings = z.object({
  subscription_id: IdIn,
  email_enabled: optionalBoolean,
  email_frequency: z.optional(EmailFrequency),
  release_types_filter: z.optional(ReleaseTypes),
  webhook_release_types: z.optional(ReleaseTypes),
  ...clearableWebhooks,
  webhook_url: z.nullish(WebhookUrl),
  use_global_webhooks: optionalBoolean,
  notifications_paused: optionalBoolean,
})
export type SubscriptionSettings = z.infer<typeof SubscriptionSettings>

/** Account-wide webhooks and notification settings. */
export const AccountSettings = z.object({
  ...clearableWebhooks,
  webhook_release_types: z.optional(ReleaseTypes),
  ...optionalNotificationSettings,
})
export type AccountSettings = z.infer<typeof AccountSettings>

/** The compact and the full schema combined. */
export const Dashboard = z.object({
  ...success,
  plan: z.string(),
  limit: z.int(),
  subscriptions: z.array(Subscription),
  is_pro: z.boolean(),
  subscription_count: z.int(),
  subscription_limit: z.int(),
  user_email: nullableText,
  user_login: z.string(),
  pms_status: z.string(),
  pms_trial_end: nullableTime,
  pms_is_cancelled: z.boolean(),
  ...eachWebhook(() => nullableText),
  webhook_release_types: z.string(),
  labels: z.array(Label),
  /** Extensions. */
  ...optionalNotificationSettings,
  catalog_date: optionalText,
  looked_at: z.optional(AnswerCoverage),
  /** False if the server queues notifications without sending them. */
  delivers_notifications: optionalBoolean,
  /**
   * On plans with cluster reports: number of affected artifacts by their worst advisory; `known`: number that could be
   * compared.
   */
  affected: z.optional(
    z.object({
      clusters: z.int(),
      artifacts: z.int(),
      critical: z.int(),
      high: z.int(),
      known: z.int(),
      /** Coverage of running artifacts, as in answers about runs. */
      coverage: z.optional(
        z.object({ artifacts: z.int(), advisories_known: z.int(), advisory_facts_at: nullableText }),
      ),
    }),
  ),
})
export type Dashboard = z.infer<typeof Dashboard>

export const NotificationChannel = z.enum(channelNames)

/**
 * Reason of a notification. A release was published, was promoted from a pre-release, or is now known to be a fix. For a
 * cluster: it runs a malicious artifact, findings returned, the gate failed, reports are overdue, support ends, an exception
 * expires. `target`: an address was disabled. `fleet`: the weekly report on all clusters.
 */
export const DeliveryKind = z.enum([
  'test',
  'digest',
  'release',
  'promotion',
  'security',
  'compromised',
  'regressed',
  'gate',
  'silent',
  'support',
  'exception',
  'target',
  'fleet',
])
export type DeliveryKind = z.infer<typeof DeliveryKind>

/** The recipient and subject of a message. */
export const addressed = {
  channel: NotificationChannel,
  /** Shortened: does not contain the secret of a webhook address. */
  target: z.string(),
  subscription_id: z.nullable(Id),
  product_id: z.nullable(Id),
  name: nullableText,
  version: nullableText,
}

export const DeliveryLog = z.object({
  id: Id,
  created_at: Timestamp,
  /** Absent if the server does not send it. */
  kind: z.optional(DeliveryKind),
  ...addressed,
  status: z.enum(['delivered', 'failed', 'pending', 'skipped']),
  attempts: z.int(),
  http_status: nullableInt,
  error: nullableText,
})
export type DeliveryLog = z.infer<typeof DeliveryLog>

export const TestResult = z.object({
  channel: NotificationChannel,
  delivered: z.boolean(),
  http_status: nullableInt,
  error: nullableText,
})
export type TestResult = z.infer<typeof TestResult>
