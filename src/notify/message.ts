import type { EventType } from '../contract/choices.ts'
import type { UnixSeconds } from '../util/time.ts'

/** One event as the event log stores it, and a message that reports events to one receiver on one channel. */

export type NotifiedSeverity = 'none' | 'low' | 'medium' | 'high' | 'critical'

/** A cluster of the receiver, and the older version that its latest run has. */
export interface RunsIn {
  cluster: string
  environment: string
  version: string | null
  /** Owners of the workloads that run it; absent: no owner is set, or they were not looked up. */
  owners?: string[]
}

interface NotifiedProject {
  id: number
  name: string
  /** Names it in commands. */
  slug?: string
}

interface Occurred {
  /** Of the row in the event log; stable. */
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
  /** Of its notes. */
  url: string | null
  /** Plain text or HTML, as its source wrote it. */
  notes: string | null
  isSecurityFix: boolean
  /** Null: not a fix, or its severity is not known. */
  severity: NotifiedSeverity | null
  advisories: string[]
  /** Clusters of the receiver that run an older version; added for each receiver. */
  runsIn: RunsIn[]
}

interface OfCluster extends Occurred {
  cluster: string
  environment: string
}

/** A cluster runs a release that attackers planted. */
export interface CompromisedEvent extends OfCluster {
  type: 'artifact.compromised'
  runId: string
  /** As the report names it. */
  artifact: string
  /** What to do about it. */
  advice: string
  source: string | null
  /** Namespaces and workloads that run it. */
  places: string[]
}

export interface RegressedEvent extends OfCluster {
  type: 'report.regressed'
  runId: string
  score: number | null
  previousScore: number | null
  /** Both scores, and whether they can be compared: `90 → 60* (not comparable)`. */
  scores: string | null
  /** New and regressed findings by severity; all of them. */
  counts: Partial<Record<NotifiedSeverity | 'info' | 'unknown', number>>
  /** How many of them were there before; null where it is not known any more. */
  regressed: number | null
  /** How many more came that exceptions accept. */
  accepted: number
  /** The worst of them. */
  findings: { checkId: string; check: string; severity: string; namespace: string | null; resource: string | null }[]
}

export interface GateFailedEvent extends OfCluster {
  type: 'gate.failed'
  runId: string
  /** One line for each rule that failed. */
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
  /** The ignored finding, artifact or advisory in words. */
  subject: string
  reason: string | null
  expiresAt: UnixSeconds
}

/** An address of the receiver, who is notified through another channel. */
export interface TargetDisabledEvent extends Occurred {
  type: 'target.disabled'
  /** Title of the channel, such as `Slack`. */
  channel: string
  /** Project of the subscription that the address belongs to; null: it is the account's. */
  subscription: string | null
  reason: string
}

/** Once a week, all clusters of the receiver. */
export interface FleetReportEvent extends Occurred {
  type: 'fleet.report'
  /** `12 clusters: 2 need attention` */
  verdict: string
  /** The most urgent clusters, a line each. */
  lines: string[]
  /** A web page that needs no other file; null where the message links to one. */
  page: string | null
}

interface TestEvent extends Occurred {
  type: 'test'
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
  | TestEvent

export interface Message {
  /** The same in all attempts: the webhook id and the local part of the Message-ID. Letters, digits, `_` and `-`. */
  id: string
  type: EventType
  /** When it became due. */
  at: UnixSeconds
  /** One event; several in a digest, or those of one project and one moment. */
  events: NotificationEvent[]
  digest?: Digest | undefined
  links: MessageLinks
  /** 1 for the first. */
  attempt: number
}

interface Digest {
  period: 'daily' | 'weekly'
  from: UnixSeconds
  to: UnixSeconds
  /** Of the receiver, such as `Europe/Berlin`: times are shown in it. */
  timeZone: string
}

/** Absolute addresses below `RELT_PUBLIC_URL`; null without one. */
export interface MessageLinks {
  page: string | null
  settings: string | null
  /** Ends the subscription, or this kind of mail, without a sign-in. */
  unsubscribe: string | null
}
