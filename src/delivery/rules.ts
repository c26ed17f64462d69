import type { ChannelName, WebhookName } from '../contract/channels.ts'
import type { ClusterEvent, fleetReports, Weekday } from '../contract/choices.ts'
import type { ReleaseType } from '../contract/project.ts'
import type { FindingSeverity } from '../contract/scan-finding.ts'
import type { Severity } from '../contract/shape.ts'
import type { EmailFrequency } from '../contract/subscription.ts'
import type { UnixSeconds } from '../util/time.ts'

/** Notification settings of an account; texts as on the wire. */
export interface AccountRules {
  webhook_release_types: string
  time_zone: string
  digest_hour: number
  digest_weekday: Weekday
  /** `22:00-07:00`, or empty. */
  quiet_hours: string
  quiet_hours_except: Severity
  min_severity: Severity
  only_what_runs: boolean
  /** Comma-separated. */
  cluster_events: string
  /** Comma-separated names of clusters, `name/environment` and `label:text`; empty: all clusters. */
  cluster_scope: string
  /** Events of clusters are mailed, too. */
  cluster_mails: boolean
  /** Comma-separated owners that digests are about; empty: all. */
  owner_scope: string
  fleet_report: (typeof fleetReports)[number]
}

export interface SubscriptionRules {
  id: number
  projectId: number
  since: UnixSeconds
  email_enabled: boolean
  email_frequency: EmailFrequency
  release_types_filter: string
  webhook_release_types: string
  use_global_webhooks: boolean
  notifications_paused: boolean
  /** Channels with a webhook of their own. */
  webhooks: ReadonlySet<WebhookName>
}

export interface Recipient {
  userId: number
  hasEmail: boolean
  /** Channels with a webhook of the account. */
  webhooks: ReadonlySet<WebhookName>
  rules: AccountRules
  /** By project. */
  subscriptions: ReadonlyMap<number, SubscriptionRules>
  /** The account and its teams, as owners of clusters. */
  ownerIds: ReadonlySet<number>
}

/** An event, as far as it decides who is notified. */
export interface LoggedEvent {
  id: number
  type: 'release.published' | 'release.promoted' | 'release.security' | ClusterEvent
  at: UnixSeconds
  ownerId: number | null
  projectId: number | null
  cluster: { name: string; environment: string; labels: string[] } | null
  data: EventData
}

/** Of all types; each has its own members. */
export interface EventData {
  version?: string
  releaseType?: ReleaseType
  /** Empty or absent: not of a chart. */
  chartName?: string
  publishedAt?: UnixSeconds
  isSecurityFix?: boolean
  /** Of a fix, or the worst of new findings; null: not known. */
  severity?: Severity | null
  /** Release cycle whose support ends. */
  line?: string
  /** Of Kubernetes: the offering whose support ends; absent: that of Kubernetes itself. */
  offering?: string
  endsAt?: UnixSeconds
  /** Of a cluster that may have no row. */
  cluster?: string
  environment?: string
  runId?: string
  fromRunId?: string
  /** Keyed hash of a compromised artifact of the cluster. */
  artifact?: string
  /** New and regressed findings by severity. */
  counts?: Partial<Record<FindingSeverity, number>>
  exceptionId?: string
  reasons?: string[]
  lastReportAt?: UnixSeconds | null
  expectedEvery?: number
  endedAt?: UnixSeconds | null
  /** Of an address that was switched off. */
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
  /** Of the image without its tag, or of the chart. */
  name: string
  /** Null: its tag does not state one. */
  version: string | null
  /** Of Kubernetes: the offering that runs it. */
  offering?: string | undefined
  /** The project that makes its releases, where that is another one. */
  releasedBy?: number | undefined
  /** Owners of the workloads that run it; absent: no owner is set, or they were not looked up. */
  owners?: string[] | undefined
}

/** By project. */
export type InstalledVersions = ReadonlyMap<number, readonly InstalledVersion[]>

/** A message that one recipient gets on one channel. */
export interface PlannedMessage {
  userId: number
  channel: ChannelName
  /** The subscription whose address it goes to; null: that of the account. */
  toAddress: number | null
  subscriptionId: number | null
  projectId: number | null
  type: LoggedEvent['type'] | 'digest' | 'fleet.report'
  eventIds: number[]
  /** Of the event, or when the digest was due. */
  at: UnixSeconds
  notBefore: UnixSeconds
  digest?: { period: 'daily' | 'weekly'; from: UnixSeconds; to: UnixSeconds }
}
