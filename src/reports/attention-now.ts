import { daySeconds } from '../util/time.ts'

/**
 * Reasons that need attention for as long as they last, such as an exploited vulnerability or a scan without an earlier one.
 */
const lasting: readonly string[] = [
  'compromised',
  'exploited',
  'gate_failed',
  'new_critical',
  'overdue',
  'no_scan',
  'score_fell',
]

/** Reasons that need attention only while they are new. */
const recent: readonly string[] = ['new_high', 'scope_reduced']

/** Filters the reasons that need attention now. `isRecent`: the latest scan is within the requested time. */
export function reasonsOfNow<Reason extends string>(reasons: readonly Reason[], isRecent: boolean): Reason[] {
  return reasons.filter((reason) => lasting.includes(reason) || (isRecent && recent.includes(reason)))
}

/** By default, changes of the last day are new. */
export const newForSeconds = daySeconds
