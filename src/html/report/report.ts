import type { SuppressedFinding } from '../../contract/cluster-report.ts'
import type { FindingsOfRun } from '../../contract/finding.ts'
import type { RunGate } from '../../contract/gate-verdict.ts'
import type {
  ReceivedComparison,
  ReceivedFreshness,
  ReceivedRun,
  ReceivedTrendPoint,
} from '../../contract/received/cluster-report.ts'
import type { Finding } from '../../contract/scan-finding.ts'
import type { UpgradePlan } from '../../contract/upgrade.ts'
import { type Ink, plainInk } from '../../render/html/draw.ts'
import type { Redactor } from '../../views/redaction.ts'
import type { Part } from '../../views/view.ts'

/** Titles of the parts that are missing, with the reasons. */
export const missingParts = (parts: Record<string, Part<unknown>>): [title: string, reason: string][] =>
  Object.entries(parts).flatMap(([title, { missing }]) => (missing === undefined ? [] : [[title, missing]]))

export type { Redaction } from '../../views/redaction.ts'

/** `points` and `basis` are null for servers that do not list findings by check. */
export interface ListedFindings
  extends Pick<FindingsOfRun, 'findings' | 'rows' | 'suppressed_count' | 'accepted_findings_count'> {
  basis: FindingsOfRun['basis'] | null
  checks: (Omit<FindingsOfRun['checks'][number], 'points'> & { points: number | null })[]
  items: Finding[]
  suppressed: SuppressedFinding[]
  /** Null if unknown. */
  excluded_namespaces: string[] | null
}

export interface RunTrend {
  days: number
  /** Oldest first. */
  points: ReceivedTrendPoint[]
}

/** When, with what and from where a report was made. */
export interface ReportOrigin {
  /** Unix seconds. */
  madeAt: number
  /** Version of relt. */
  version: string
  /** Host of the server that answered; null for the local store. */
  server: string | null
}

/** The data of a report about one run. */
export interface RunReport extends ReportOrigin {
  run: ReceivedRun
  /** The report is queued in the spool; no server has the run yet. */
  isQueued: boolean
  gate: Part<RunGate>
  comparison: Part<ReceivedComparison>
  findings: Part<ListedFindings>
  freshness: Part<ReceivedFreshness>
  trends: Part<RunTrend>
  /** Upgrade to the next minor version of Kubernetes. */
  upgrade?: Part<UpgradePlan>
  /** Name of the file next to the page that lists every finding. */
  csv: string | null
  /** Hides what the user asked to redact. */
  redactor: Redactor
}

/** Renders texts marked safe, and others unless their kind is redacted. */
export const redactedInk = (redactor: Redactor): Ink =>
  redactor.kinds.length === 0 ? plainInk : { ...plainInk, hide: (piece) => redactor.piece(piece) }

/** Maximum findings on a page; beyond it, a file next to it has all. */
export const mostFindings = 5000
