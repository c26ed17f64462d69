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

/** A part of a report, or why there is none: no part is ever left blank. */
export type Part<T> = { found: T; missing?: undefined } | MissingPart

export interface MissingPart {
  found?: undefined
  missing: string
  /** A server gave the reason, which may contain names. */
  isForeign?: boolean
}

export type { Redaction } from '../../views/redaction.ts'

type CheckOfRun = FindingsOfRun['checks'][number]

/** `points` and `basis` are null for servers that list no findings by check. */
export interface ListedFindings
  extends Pick<FindingsOfRun, 'findings' | 'rows' | 'suppressed_count' | 'accepted_findings_count'> {
  basis: FindingsOfRun['basis'] | null
  checks: (Omit<CheckOfRun, 'points'> & { points: number | null })[]
  items: Finding[]
  suppressed: SuppressedFinding[]
  /** Null: not known. */
  excluded_namespaces: string[] | null
}

export interface RunTrend {
  days: number
  /** The oldest first. */
  points: ReceivedTrendPoint[]
}

/** Everything a report of a run shows. */
export interface RunReport {
  run: ReceivedRun
  /** The report waits in the spool; no server knows the run. */
  isQueued: boolean
  gate: Part<RunGate>
  comparison: Part<ReceivedComparison>
  findings: Part<ListedFindings>
  freshness: Part<ReceivedFreshness>
  trends: Part<RunTrend>
  /** To the next minor version of Kubernetes. */
  upgrade?: Part<UpgradePlan>
  /** Unix seconds. */
  madeAt: number
  /** Of relt. */
  version: string
  /** Host of the server that answered; null for the store of this machine. */
  server: string | null
  /** Name of the file beside the page that lists every finding. */
  csv: string | null
  /** Hides what was asked to be left out. */
  redactor: Redactor
}

/** Draws what is marked safe, and of the rest what nobody asked to leave out. */
export const redactedInk = (redactor: Redactor): Ink =>
  redactor.kinds.length === 0 ? plainInk : { ...plainInk, hide: (piece) => redactor.piece(piece) }

/** Findings that a page lists at most; beyond these, a file beside it has all. */
export const mostFindings = 5000
