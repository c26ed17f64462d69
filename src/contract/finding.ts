import * as z from 'zod/mini'
import { findingGroupings, findingStates } from './choices.ts'
import { FixProposal } from './fix-proposal.ts'
import { GateVerdict } from './gate-verdict.ts'
import { OwnerRule } from './ownership.ts'
import { AksReadiness, RiskPath } from './risk-path.ts'
import { Finding, FindingSeverity, ReportFormat, RunId } from './scan-finding.ts'
import {
  clusterPlace,
  newsTime,
  nullableInt,
  nullableNumber,
  nullableText,
  nullableTime,
  optionalInt,
  optionalTexts,
  requiredText,
  success,
  Timestamp,
  text,
  texts,
  toPage,
} from './shape.ts'

/** A finding in the latest run of a cluster; or a check that did not run, which has neither fingerprint nor severity. */
export const FindingListItem = z.extend(Finding, {
  fingerprint: nullableText,
  severity: z.nullable(FindingSeverity),
  state: z.enum(findingStates),
  ...clusterPlace,
  run_id: RunId,
  /** An extension: owners of the resource by the account's rules; empty without an owner. */
  owners: optionalTexts,
  format: ReportFormat,
  /** Time of the scan. */
  seen_at: Timestamp,
  /**
   * Time of the first stored scan of this cluster with the finding; null for suppressed findings and checks that did not
   * run.
   */
  first_seen_at: nullableTime,
  /** Why it is suppressed or did not run, as stated in the report. */
  reason: nullableText,
  /** Until when it is suppressed, as stated in the report. */
  suppressed_until: nullableText,
})
export type FindingListItem = z.infer<typeof FindingListItem>

export const FindingGroup = z.object({
  key: nullableText,
  /** Name of the check, when grouped by check. */
  name: nullableText,
  severity: z.nullable(FindingSeverity),
  /** Number of different findings; equal rows of a run count once. */
  findings: z.int(),
  /** Number of rows, as scanners count them. */
  rows: z.int(),
  clusters: z.int(),
})
export type FindingGroup = z.infer<typeof FindingGroup>

/** Gaps in the runs that an answer about findings is based on. */
export const FindingCoverage = z.object({
  clusters: z.int(),
  runs: z.int(),
  /** Time of the oldest scan; null without a run. */
  oldest_scan_at: nullableTime,
  /** Latest runs with a stale scan, oldest first; at most 20. */
  stale: z.array(z.object({ ...clusterPlace, format: ReportFormat, seen_at: Timestamp })),
  stale_count: z.int(),
  /** Number of checks in the reports that did not run. */
  not_run_checks: z.int(),
  /** Clusters with such checks; at most 20. */
  not_run: z.array(z.object({ ...clusterPlace, format: ReportFormat, checks: z.int() })),
  suppressed_findings: z.int(),
  /** Number of matching findings that exceptions cover; listed only if the state `accepted` is requested. */
  accepted_findings: optionalInt,
  /** Rows that the reports count but do not list. Filters on namespace, resource or text never match them. */
  unlisted_rows: nullableInt,
  /** Number of runs with empty reports. */
  empty_runs: z.int(),
  /** Number of new and regressed findings that cannot be compared, because scope or checks differ. Null if not requested. */
  incomparable_findings: nullableInt,
})
export type FindingCoverage = z.infer<typeof FindingCoverage>

export const Findings = z.object({
  page: z.int(),
  per_page: z.int(),
  /** Number of matching findings; of groups with `group_by`. */
  total: z.int(),
  total_pages: z.int(),
  /** Number of different findings that match. */
  findings: z.int(),
  /** Number of their rows, as scanners count them. */
  rows: z.int(),
  group_by: z.nullable(z.enum(findingGroupings)),
  items: z.array(FindingListItem),
  /** Only with `group_by`; `items` is then empty. */
  groups: z.array(FindingGroup),
  ...newsTime,
  looked_at: FindingCoverage,
})
export type Findings = z.infer<typeof Findings>

/** A cluster that has or had a finding. */
export const FindingOccurrence = z.object({
  ...clusterPlace,
  /** State in the latest run of its scanner. Null: the runs of the cluster were indexed by older rules. */
  state: z.enum(['open', 'accepted', 'suppressed', 'resolved', 'unknown']),
  first_seen_at: nullableTime,
  /** Null if the run was deleted or has expired. */
  first_run_id: z.nullable(RunId),
  last_seen_at: nullableTime,
  last_run_id: z.nullable(RunId),
  /** The latest run of the scanner. */
  latest_run_id: z.nullable(RunId),
  latest_scan_at: nullableTime,
  /** An extension: the gate's verdict of that run; null if none was recorded. */
  gate: z.optional(z.nullable(GateVerdict)),
  /** Why a finding missing from the latest run may still exist: its check did not run, or its namespace was excluded. */
  doubt: nullableText,
})
export type FindingOccurrence = z.infer<typeof FindingOccurrence>

export const FindingDetails = z.object({
  ...success,
  finding: z.extend(Finding, {
    format: ReportFormat,
    recommendation: nullableText,
    url: nullableText,
    reason: nullableText,
    suppressed_until: nullableText,
  }),
  /** The run that the texts are from. */
  run_id: RunId,
  /** An extension: for each owner of the resource, the last matching rule in this run; empty without an owner. */
  owners: z.optional(z.array(OwnerRule)),
  /** An extension: commands that would fix it, if its check has any and it is not resolved everywhere. */
  proposal: z.optional(FixProposal),
  clusters: z.array(FindingOccurrence),
  clusters_total: z.int(),
})
export type FindingDetails = z.infer<typeof FindingDetails>

/** A check, with the points that the mean score of the chosen runs would rise if it had no findings. */
export const TopCheck = z.object({
  check_id: z.string(),
  check_name: z.string(),
  format: ReportFormat,
  severity: z.nullable(FindingSeverity),
  points: z.number(),
  /** `weights`: by the scanner's own weights. `formula`: by relt's formula, from severities. */
  basis: z.enum(['weights', 'formula', 'both']),
  /** Number of rows, as scanners count them. */
  rows: z.int(),
  clusters: z.int(),
  recommendation: nullableText,
  url: nullableText,
})
export type TopCheck = z.infer<typeof TopCheck>

/** A check with findings in a run. */
const CheckOfRun = z.object({
  ...z.pick(Finding, { check_id: true, check_name: true, category: true }).shape,
  /** Severity of the worst finding. */
  severity: FindingSeverity,
  /** Number of different findings, without suppressed ones. */
  findings: z.int(),
  /** Number of rows, as the scanner counts them. */
  rows: z.int(),
  /** Number of rows that the report counts but does not list. */
  unlisted_rows: z.int(),
  /** Points that the score would rise if the check had no findings. */
  points: z.number(),
  recommendation: nullableText,
  url: nullableText,
  exploited: Finding.shape.exploited,
})

export const FindingsOfRun = z.object({
  ...success,
  run_id: RunId,
  /** Number of different findings, without suppressed ones; `items` may list fewer. */
  findings: z.int(),
  /** Number of rows, as the scanner counts them. */
  rows: z.int(),
  /** `weights`: by the scanner's own weights. `formula`: by relt's formula, from severities. */
  basis: z.enum(['weights', 'formula']),
  /** Worst first. */
  checks: z.array(CheckOfRun),
  /** In the order of `checks`. If the limit is reached, each check has an equal share. */
  items: z.array(Finding),
  suppressed: z.array(z.extend(Finding, { reason: nullableText, until: nullableText })),
  suppressed_count: z.int(),
  /** Number of different findings that exceptions cover; all lists and counts above include them. */
  accepted_findings_count: optionalInt,
  /** Namespaces that the scan excluded. */
  excluded_namespaces: texts,
})
export type FindingsOfRun = z.infer<typeof FindingsOfRun>

export const RunsCoverage = z.omit(FindingCoverage, {
  accepted_findings: true,
  unlisted_rows: true,
  incomparable_findings: true,
})
export type RunsCoverage = z.infer<typeof RunsCoverage>

export const TopChecks = z.extend(toPage(TopCheck), {
  /** Mean score of the chosen runs; null if none has a score. */
  mean_score: nullableNumber,
  /** An extension, with an owner: the mean score that the runs would have with only the owner's findings. */
  owner_score: z.optional(nullableNumber),
  /** Number of runs whose points are from relt's formula, because their reports have no weights. */
  runs_by_formula: z.int(),
  looked_at: RunsCoverage,
})
export type TopChecks = z.infer<typeof TopChecks>

const ofRun = { ...clusterPlace, run_id: RunId, seen_at: Timestamp }

export const RiskPaths = z.extend(toPage(z.extend(RiskPath, ofRun)), {
  aks_readiness: z.array(z.extend(AksReadiness, ofRun)),
  /** Number of runs whose reports do not list risk paths, so that their risk paths are unknown. */
  runs_without_risk_paths: z.int(),
  looked_at: RunsCoverage,
})
export type RiskPaths = z.infer<typeof RiskPaths>
export type RiskPathOfRun = RiskPaths['items'][number]

export const SplitWorkload = z.object({
  /** A run that has the workload. */
  run_id: RunId,
  /** Empty for what is outside namespaces. */
  namespace: text(253),
  /** Its name, as `renamed_workloads` of a comparison has it in `to`. */
  workload: requiredText(253),
})
export type SplitWorkload = z.infer<typeof SplitWorkload>

/** A join that is undone: what `to` has is new, and `from` is gone. */
export const WorkloadSplit = z.object({
  ...success,
  /** The run in which the two had been joined, and the time of its scan. */
  run_id: RunId,
  at: Timestamp,
  namespace: z.string(),
  from: z.string(),
  to: z.string(),
  findings: z.int(),
})
export type WorkloadSplit = z.infer<typeof WorkloadSplit>
