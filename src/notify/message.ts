import type { EventType } from '../contract/choices.ts'
import type { UnixSeconds } from '../util/time.ts'

/** Types: an event in the event log, and a message about events to one receiver on one channel. */

export type NotifiedSeverity = 'none' | 'low' | 'medium' | 'high' | 'critical'

/** A cluster of the receiver, with the older version in its latest run. */
export interface RunsIn {
  cluster: string
  environment: string
  version: string | null
  /** Owners of the workloads that run it; absent if no owner is set, or they were not looked up. */
  owners?: string[]
}

interface NotifiedProject {
  id: number
  name: string
  /** Slug for commands. */
  slug?: string
}

interface Occurred {
  /** Id of the row in the event log; stable. */
  id: string
  at: UnixSeconds
}

export interface ReleaseEvent extends Occurred {
  /** `release.promoted`: a pre-release became a release. `release.security`: an older release is now known to be a fix. */
  type: 'release.published' | 'release.promoted' | 'release.security'
  project: NotifiedProject
  version: string
  releaseType: 'app' | 'helm' | 'pre'
  publishedAt: UnixSeconds
  /** URL of the release notes. */
  url: string | null
  /** Plain text or HTML, as in the source. */
  notes: string | null
  isSecurityFix: boolean
  /** Null: not a fix, or of unknown severity. */
  severity: NotifiedSeverity | null
  advisories: string[]
  /** Clusters of the receiver that run an older version; set for each receiver. */
  runsIn: RunsIn[]
}

interface OfCluster extends Occurred {
  cluster: string
  environment: string
}

/** A cluster runs a malicious release. */
export interface CompromisedEvent extends OfCluster {
  type: 'artifact.compromised'
  runId: string
  /** Artifact as named in the report. */
  artifact: string
  /** Recommended action. */
  advice: string
  source: string | null
  /** Namespaces and workloads that run it. */
  places: string[]
}

export interface RegressedEvent extends OfCluster {
  type: 'report.regressed'
  runId: string
  /** Since when findings are new, also as text in the zone of the server: `Fri 08:00`. */
  since: UnixSeconds
  sinceText: string
  score: number | null
  previousScore: number | null
  /** Both scores, and whether they can be compared: `90 → 60* (not comparable)`. */
  scores: string | null
  /** Number of all new and regressed findings by severity. */
  counts: Partial<Record<NotifiedSeverity | 'info' | 'unknown', number>>
  /** Number of regressed ones among them; null if no longer known. */
  regressed: number | null
  /** Number of further new or regressed findings that exceptions cover. */
  accepted: number
  /** The worst of these findings. */
  findings: { checkId: string; check: string; severity: string; namespace: string | null; resource: string | null }[]
}

export interface GateFailedEvent extends OfCluster {
  type: 'gate.failed'
  runId: string
  /** One line for each failed rule. */
  reasons: string[]
}

export interface ClusterSilentEvent extends OfCluster {
  type: 'cluster.silent'
  lastReportAt: UnixSeconds | null
  expectedEverySeconds: number
  /** Null while the silence lasts. */
  endedAt: UnixSeconds | null
}

export interface SupportEndsEvent extends Occurred {
  type: 'support.ends'
  project: NotifiedProject
  /** Release cycle, such as `1.31`. */
  line: string
  endsAt: UnixSeconds
  runsIn: RunsIn[]
}

export interface ExceptionExpiresEvent extends Occurred {
  type: 'exception.expires'
  exceptionId: string
  /** The accepted finding, artifact or advisory, in words. */
  subject: string
  reason: string | null
  expiresAt: UnixSeconds
}

/** A disabled address of the receiver, who is notified through another channel. */
export interface TargetDisabledEvent extends Occurred {
  type: 'target.disabled'
  /** Title of the channel, such as `Slack`. */
  channel: string
  /** Project of the subscription with this address; null for the account's address. */
  subscription: string | null
  reason: string
}

/** Weekly report on all clusters of the receiver. */
export interface FleetReportEvent extends Occurred {
  type: 'fleet.report'
  /** `12 clusters: 2 need attention` */
  verdict: string
  /** The most urgent clusters, one per line. */
  lines: string[]
  /** A self-contained web page; null if the message links to one. */
  page: string | null
}

export type NotificationEvent =
  | ReleaseEvent
  | CompromisedEvent
  | RegressedEvent
  | GateFailedEvent
  | ClusterSilentEvent
  | SupportEndsEvent
  | ExceptionExpiresEvent
  | TargetDisabledEvent
  | FleetReportEvent
  | (Occurred & { type: 'test' })

export interface Message {
  /** The same for all attempts: the webhook id and the local part of the Message-ID. Letters, digits, `_` and `-`. */
  id: string
  type: EventType
  /** When it became due. */
  at: UnixSeconds
  /** One event; several in a digest, or if they belong to one project and time. */
  events: NotificationEvent[]
  /** `timeZone`: of the receiver, such as `Europe/Berlin`, for displayed times. */
  digest?: { period: 'daily' | 'weekly'; from: UnixSeconds; to: UnixSeconds; timeZone: string }
  links: MessageLinks
  /** Number of the attempt, from 1. */
  attempt: number
}

/** Absolute URLs below `RELT_PUBLIC_URL`; null without it. */
export interface MessageLinks {
  page: string | null
  settings: string | null
  /** Unsubscribes, or ends this kind of mail, without sign-in. */
  unsubscribe: string | null
}
