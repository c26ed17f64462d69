import * as z from 'zod/mini'
import { findingGroupings, findingStates } from './choices.ts'
import { FixProposal } from './fix-proposal.ts'
import { OwnerRule } from './ownership.ts'
import { AksReadiness, RiskPath } from './risk-path.ts'
import { Finding, FindingSeverity, ReportFormat, RunId } from './scan-finding.ts'
import { Timestamp, toPage } from './shape.ts'

const nullableText = z.nullable(z.string())

const cluster = { cluster_name: z.string(), environment: z.string() }

/** A finding of the latest run of a cluster, or a check that did not run: it has neither fingerprint nor severity. */
export const FindingListItem = z.extend(Finding, {
  fingerprint: nullableText,
  severity: z.nullable(FindingSeverity),
  state: z.enum(findingStates),
  ...cluster,
  run_id: RunId,
  /** An extension: who owns what it is about, by the rules of the account; none: nobody. */
  owners: z.optional(z.array(z.string())),
  format: ReportFormat,
  /** Time of the scan. */
  seen_at: Timestamp,
  /** Time of the first stored scan of this cluster that had it; null for suppressed findings and checks that did not run. */
  first_seen_at: z.nullable(Timestamp),
  /** Why it is suppressed or did not run, as the report says it. */
  reason: nullableText,
  /** As the report says it. */
  suppressed_until: nullableText,
})
export type FindingListItem = z.infer<typeof FindingListItem>

export const FindingGroup = z.object({
  key: nullableText,
  /** Name of the check, when grouped by check. */
  name: nullableText,
  severity: z.nullable(FindingSeverity),
  /** Different findings; equal rows of a run are one. */
  findings: z.int(),
  /** Rows, as scanners count them. */
  rows: z.int(),
  clusters: z.int(),
})
export type FindingGroup = z.infer<typeof FindingGroup>

/** Gaps of the runs behind an answer about findings. */
export const FindingCoverage = z.object({
  clusters: z.int(),
  runs: z.int(),
  /** The oldest of the scans; null without a run. */
  oldest_scan_at: z.nullable(Timestamp),
  /** Latest runs whose scan is stale, the oldest first; at most 20. */
  stale: z.array(z.object({ ...cluster, format: ReportFormat, seen_at: Timestamp })),
  stale_count: z.int(),
  /** Checks that are in the reports and did not run. */
  not_run_checks: z.int(),
  /** Clusters with such checks; at most 20. */
  not_run: z.array(z.object({ ...cluster, format: ReportFormat, checks: z.int() })),
  suppressed_findings: z.int(),
  /** Findings that match and that exceptions accept; they are listed only where the state `accepted` is asked for. */
  accepted_findings: z.optional(z.int()),
  /** Rows that the reports count and do not list. They match no filter on namespace, resource or text. */
  unlisted_rows: z.nullable(z.int()),
  /** Runs of empty reports. */
  empty_runs: z.int(),
  /** Runs without an earlier run to compare with: whether their findings are new is unknown. Null where not asked for. */
  without_earlier_run: z.nullable(z.int()),
  /** New and regressed findings that cannot be compared, because scope or checks differ. Null where not asked for. */
  incomparable_findings: z.nullable(z.int()),
})
export type FindingCoverage = z.infer<typeof FindingCoverage>

export const Findings = z.object({
  page: z.int(),
  per_page: z.int(),
  /** Findings that match; with `group_by`, groups. */
  total: z.int(),
  total_pages: z.int(),
  /** Different findings that match. */
  findings: z.int(),
  /** Their rows, as scanners count them. */
  rows: z.int(),
  group_by: z.nullable(z.enum(findingGroupings)),
  items: z.array(FindingListItem),
  /** Only with `group_by`; `items` is then empty. */
  groups: z.array(FindingGroup),
  looked_at: FindingCoverage,
})
export type Findings = z.infer<typeof Findings>

/** One cluster that has or had a finding. */
export const FindingOccurrence = z.object({
  ...cluster,
  /** In the latest run of its scanner. Null: the runs of the cluster are indexed by older rules. */
  state: z.enum(['open', 'accepted', 'suppressed', 'resolved', 'unknown']),
  first_seen_at: z.nullable(Timestamp),
  /** Null: the run was deleted or has expired. */
  first_run_id: z.nullable(RunId),
  last_seen_at: z.nullable(Timestamp),
  last_run_id: z.nullable(RunId),
  /** The latest run of the scanner. */
  latest_run_id: z.nullable(RunId),
  latest_scan_at: z.nullable(Timestamp),
  /** Why a finding that the latest run does not have may still be there: its check did not run, or its namespace was left out. */
  doubt: nullableText,
})
export type FindingOccurrence = z.infer<typeof FindingOccurrence>

export const FindingDetails = z.object({
  success: z.literal(true),
  finding: z.extend(Finding, {
    format: ReportFormat,
    recommendation: nullableText,
    url: nullableText,
    reason: nullableText,
    suppressed_until: nullableText,
  }),
  /** The run whose texts are shown. */
  run_id: RunId,
  /** An extension: the last rule of each owner of what it is about, in this run; none: nobody. */
  owners: z.optional(z.array(OwnerRule)),
  /** An extension: commands that would fix it, if its check has some and it is not resolved everywhere. */
  proposal: z.optional(FixProposal),
  clusters: z.array(FindingOccurrence),
  clusters_total: z.int(),
})
export type FindingDetails = z.infer<typeof FindingDetails>

/** A check, by the points that the mean score of the chosen runs would rise without its findings. */
export const TopCheck = z.object({
  check_id: z.string(),
  check_name: z.string(),
  format: ReportFormat,
  severity: z.nullable(FindingSeverity),
  points: z.number(),
  /** `weights`: the scanner's own. `formula`: relt's, by severity. */
  basis: z.enum(['weights', 'formula', 'both']),
  /** Rows, as scanners count them. */
  rows: z.int(),
  clusters: z.int(),
  recommendation: nullableText,
  url: nullableText,
})
export type TopCheck = z.infer<typeof TopCheck>

/** A check with findings in a run. */
const CheckOfRun = z.object({
  ...z.pick(Finding, { check_id: true, check_name: true, category: true }).shape,
  /** The worst of its findings. */
  severity: FindingSeverity,
  /** Different findings, without suppressed ones. */
  findings: z.int(),
  /** Rows, as the scanner counts them. */
  rows: z.int(),
  /** Rows that a report counts but does not list. */
  unlisted_rows: z.int(),
  /** By how much the score would rise without the findings of this check. */
  points: z.number(),
  recommendation: nullableText,
  url: nullableText,
  exploited: Finding.shape.exploited,
})

export const FindingsOfRun = z.object({
  success: z.literal(true),
  run_id: RunId,
  /** Different findings, without suppressed ones; `items` may list fewer. */
  findings: z.int(),
  /** Rows, as the scanner counts them. */
  rows: z.int(),
  /** `weights`: the scanner's own. `formula`: relt's, by severity. */
  basis: z.enum(['weights', 'formula']),
  /** The worst first. */
  checks: z.array(CheckOfRun),
  /** In the order of `checks`. Beyond the limit, no check has more than an equal share. */
  items: z.array(Finding),
  suppressed: z.array(z.extend(Finding, { reason: nullableText, until: nullableText })),
  suppressed_count: z.int(),
  /** Different findings that exceptions accept; they are in all of the lists and counts above. */
  accepted_findings_count: z.optional(z.int()),
  /** Namespaces that the scan left out. */
  excluded_namespaces: z.array(z.string()),
})
export type FindingsOfRun = z.infer<typeof FindingsOfRun>

export const RunsCoverage = z.omit(FindingCoverage, {
  accepted_findings: true,
  unlisted_rows: true,
  without_earlier_run: true,
  incomparable_findings: true,
})
export type RunsCoverage = z.infer<typeof RunsCoverage>

export const TopChecks = z.extend(toPage(TopCheck), {
  /** Of the chosen runs; null where none has a score. */
  mean_score: z.nullable(z.number()),
  /** An extension, with an owner: the mean score that the runs would have with the findings of the owner alone. */
  owner_score: z.optional(z.nullable(z.number())),
  /** Runs whose points follow from relt's formula, since their reports have no weights. */
  runs_by_formula: z.int(),
  looked_at: RunsCoverage,
})
export type TopChecks = z.infer<typeof TopChecks>

const ofRun = { ...cluster, run_id: RunId, seen_at: Timestamp }

export const RiskPaths = z.extend(toPage(z.extend(RiskPath, ofRun)), {
  aks_readiness: z.array(z.extend(AksReadiness, ofRun)),
  /** Runs whose reports do not list risk paths: whether there are any is unknown. */
  runs_without_risk_paths: z.int(),
  looked_at: RunsCoverage,
})
export type RiskPaths = z.infer<typeof RiskPaths>
export type RiskPathOfRun = RiskPaths['items'][number]
