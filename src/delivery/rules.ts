import type { ChannelName, WebhookName } from '../contract/channels.ts'
import type { ClusterEvent } from '../contract/choices.ts'
import type { NotificationSettings } from '../contract/notification-settings.ts'
import type { ReleaseType } from '../contract/project.ts'
import type { FindingSeverity } from '../contract/scan-finding.ts'
import type { Severity } from '../contract/shape.ts'
import type { Subscription } from '../contract/subscription.ts'
import type { UnixSeconds } from '../util/time.ts'

/** Notification settings of an account; texts as in the API. */
export interface AccountRules extends NotificationSettings {
  webhook_release_types: string
}

export interface SubscriptionRules
  extends Pick<Subscription, 'id' | 'email_enabled' | 'email_frequency' | 'release_types_filter'>,
    Pick<Subscription, 'webhook_release_types' | 'use_global_webhooks' | 'notifications_paused'> {
  projectId: number
  since: UnixSeconds
  /** Channels with a webhook of their own. */
  webhooks: ReadonlySet<WebhookName>
}

export interface Recipient {
  userId: number
  hasEmail: boolean
  /** Channels with a webhook of the account. */
  webhooks: ReadonlySet<WebhookName>
  rules: AccountRules
  /** Key: project id. */
  subscriptions: ReadonlyMap<number, SubscriptionRules>
  /** Owner ids of the account and its teams. */
  ownerIds: ReadonlySet<number>
}

/** The facts about an event that decide who is notified. */
export interface LoggedEvent {
  id: number
  type: 'release.published' | 'release.promoted' | 'release.security' | ClusterEvent
  at: UnixSeconds
  ownerId: number | null
  projectId: number | null
  cluster: { name: string; environment: string; labels: string[] } | null
  data: EventData
}

/** Members for all event types; each type has some of them. */
export interface EventData {
  version?: string
  releaseType?: ReleaseType
  /** Empty or absent unless it is a chart release. */
  chartName?: string
  publishedAt?: UnixSeconds
  isSecurityFix?: boolean
  /** Severity of a fix, or the worst of new findings; null if unknown. */
  severity?: Severity | null
  /** Release cycle whose support ends. */
  line?: string
  /** For Kubernetes: the offering whose support ends; absent for Kubernetes itself. */
  offering?: string
  endsAt?: UnixSeconds
  /** Name of a cluster that may have no row. */
  cluster?: string
  environment?: string
  runId?: string
  /** Since when findings are new. */
  since?: UnixSeconds
  /** Keyed hash of a compromised artifact in the cluster. */
  artifact?: string
  /** New and regressed findings by severity. */
  counts?: Partial<Record<FindingSeverity, number>>
  exceptionId?: string
  reasons?: string[]
  lastReportAt?: UnixSeconds | null
  expectedEvery?: number
  endedAt?: UnixSeconds | null
  /** Channel of a disabled address. */
  channel?: ChannelName
  subscriptionId?: number | null
}

/** A running version of a project in a cluster. */
export interface InstalledVersion {
  ownerId: number
  cluster: string
  environment: string
  labels: string[]
  kind: 'image' | 'helm_chart' | 'app' | 'kubernetes'
  /** The image without its tag, or the chart. */
  name: string
  /** Null if its tag does not state one. */
  version: string | null
  /** For Kubernetes: the managed offering. */
  offering?: string | undefined
  /** The project that publishes its releases, if that is another one. */
  releasedBy?: number | undefined
  /** Owners of the workloads that run it; absent if no owner is set, or they were not looked up. */
  owners?: string[] | undefined
}

/** Key: project id. */
export type InstalledVersions = ReadonlyMap<number, readonly InstalledVersion[]>

/** A message to one recipient on one channel. */
export interface PlannedMessage {
  userId: number
  channel: ChannelName
  /** The subscription whose address is used; null: the account's. */
  toAddress: number | null
  subscriptionId: number | null
  projectId: number | null
  type: LoggedEvent['type'] | 'digest' | 'fleet.report'
  eventIds: number[]
  /** Time of the event, or due time of the digest. */
  at: UnixSeconds
  notBefore: UnixSeconds
  digest?: { period: 'daily' | 'weekly'; from: UnixSeconds; to: UnixSeconds }
}
