/** A sentence about a verdict: its code and values, which `views/gate-words.ts` puts into words; or words of others. */
export type Reason = string | CodedReason

export interface CodedReason {
  code: ReasonCode
  /** Numbers, texts, lists of texts, and other reasons. */
  [value: string]: unknown
}

export type ReasonCode =
  // Of the answer of a server
  | 'no_freshness'
  | 'no_findings'
  | 'no_plans'
  | 'no_counts'
  | 'no_compared_paths'
  | 'no_compromised'
  | 'no_exploited'
  | 'no_readiness'
  | 'not_finished'
  | 'silent_fixes'
  | 'unsent'
  | 'unsent_gone'
  // Of the scan
  | 'empty_report'
  | 'gaps'
  | 'unnamed_checks'
  | 'report_missing'
  | 'accepted_gaps'
  | 'known_faults'
  | 'unread_artifacts'
  | 'no_artifacts'
  | 'no_nodes'
  // Of exceptions
  | 'expiring'
  | 'excepted'
  // Of findings
  | 'findings'
  | 'unknown_severity'
  | 'unread_findings'
  | 'taken_in'
  | 'suppressed'
  | 'unrated'
  | 'events'
  | 'first_looked'
  | 'incomparable'
  | 'renamed'
  | 'unconfirmed'
  // Of a baseline
  | 'no_baseline'
  | 'baseline_of_scanner'
  // Of the score
  | 'no_score'
  | 'score'
  | 'score_floor'
  | 'no_baseline_score'
  | 'no_earlier_score'
  | 'score_moved'
  | 'score_moved_in_common'
  | 'scores_incomparable'
  | 'scores_not_compared'
  // Of artifacts
  | 'artifacts'
  | 'in_state'
  | 'known_share'
  | 'above_known'
  | 'old_facts'
  | 'managed'
  | 'no_fix_known'
  | 'unknown_projects'
  | 'unknown_what_runs'
  | 'age'
  | 'no_age'
  | 'age_not_judged'
  // Of advisories
  | 'affected'
  | 'affected_by'
  | 'exploited'
  | 'without_severity'
  | 'unknown_versions'
  | 'grace'
  | 'ignored'
  // Of Kubernetes and its nodes
  | 'no_kubernetes'
  | 'no_end_of_support'
  | 'skew'
  | 'skew_of'
  | 'no_skew'
  | 'skew_unknown'
  | 'ended_on'
  // Of an upgrade
  | 'upgrade_blocked'
  | 'upgrade_unknown'
  | 'upgrade_unblocked'
  | 'upgrade_free'
  // Of risk paths
  | 'no_paths'
  | 'path_incomparable'
  | 'more_paths'
  | 'paths_opened'
  | 'paths_incomparable'
  // Of AKS Automatic
  | 'readiness_not_said'
  | 'readiness_skipped'
  | 'blockers_not_counted'
  | 'blockers_not_ready'
  | 'blockers'

/** Other running artifacts were not collected. */
export const notCollected = (gap: string): Reason => ({ code: 'unread_artifacts', gap })
