import * as z from 'zod/mini'
import { findingSeverities, severities } from './choices.ts'
import { RunGate } from './gate-verdict.ts'
import { ReportFormat } from './scan-finding.ts'
import {
  clusterPlace,
  nullableInt,
  nullableNumber,
  nullableText,
  optionalText,
  optionalTime,
  success,
  Timestamp,
} from './shape.ts'

/** Everything in this file is an extension: the data of `/metrics/answers`. Unknown values are null or absent, never 0. */

/** Each artifact counts once, by its worst known status. */
export const ArtifactCounts = z.object({
  current: z.int(),
  behind: z.int(),
  out_of_support: z.int(),
  retired: z.int(),
  compromised: z.int(),
  unknown: z.int(),
})
export type ArtifactCounts = z.infer<typeof ArtifactCounts>

export const AdvisoryCount = z.object({
  severity: z.enum([...severities, 'unknown']),
  /** A fixed version is known for all that it affects. */
  fixable: z.boolean(),
  exploited: z.boolean(),
  count: z.int(),
})
export type AdvisoryCount = z.infer<typeof AdvisoryCount>

export const NearSupportEnd = z.object({
  /** The slug of the project. */
  project: z.string(),
  cycle: z.string(),
  /** The last day of support, `YYYY-MM-DD`. */
  ends_on: z.string(),
})
export type NearSupportEnd = z.infer<typeof NearSupportEnd>

const SeverityCounts = z.record(z.enum(findingSeverities), z.int())
export type SeverityCounts = z.infer<typeof SeverityCounts>

/** Blockers of the upgrade to the next minor version of Kubernetes. */
export const UpgradeBlockers = z.object({
  /** Target minor version of Kubernetes. */
  target: z.string(),
  /** Number of reasons why the plan is blocked. */
  count: z.int(),
})
export type UpgradeBlockers = z.infer<typeof UpgradeBlockers>

export const ScannerMetrics = z.object({
  format: ReportFormat,
  last_scan: Timestamp,
  score: nullableNumber,
  /** Findings of the latest run, and how many of them exceptions cover; null while not counted. */
  findings: SeverityCounts,
  accepted: z.nullable(SeverityCounts),
  /** Changes since the time of news, without accepted findings; null if not computed. */
  changes: z.nullable(z.object({ new: SeverityCounts, regressed: SeverityCounts, resolved: SeverityCounts })),
  checks_not_run: z.int(),
  /** Null if no gate has judged the run. */
  gate: z.nullable(RunGate.shape.verdict),
})
export type ScannerMetrics = z.infer<typeof ScannerMetrics>

export const ClusterMetrics = z.object({
  ...clusterPlace,
  provider: nullableText,
  kubernetes_version: nullableText,
  /** Since when findings are new. */
  since: optionalTime,
  /** Seconds. */
  expected_every: nullableInt,
  scanners: z.array(ScannerMetrics),
  /** Null if no run has an inventory, or its figures are not computed yet. */
  running: z.nullable(
    z.object({
      /** Share of artifacts with known project and version; null without artifacts. */
      coverage: nullableNumber,
      artifacts: ArtifactCounts,
      advisories: z.nullable(z.array(AdvisoryCount)),
      support: z.array(NearSupportEnd),
      /** Absent: no known blocker, but the plan is undetermined. */
      upgrade_blockers: z.optional(UpgradeBlockers),
      /** Day of the oldest releases that artifacts were compared with; absent if none was. */
      known_until: optionalText,
    }),
  ),
})
export type ClusterMetrics = z.infer<typeof ClusterMetrics>

export const FleetMetrics = z.object({
  ...success,
  /** Day up to which releases of all that runs are known, and day of the newest advisories; `YYYY-MM-DD`. */
  catalog_date: z.string(),
  advisories_date: nullableText,
  /** By kind: whether all of its sources responded to the last request. Only kinds that were requested. */
  sources: z.array(z.object({ kind: z.string(), is_up: z.boolean() })),
  items: z.array(ClusterMetrics),
})
export type FleetMetrics = z.infer<typeof FleetMetrics>
