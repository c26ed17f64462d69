import { daySeconds } from '../util/time.ts'

/**
 * Reasons that need attention for as long as they last. New findings last until the time of news moves.
 */
const lasting: readonly string[] = [
  'compromised',
  'exploited',
  'gate_failed',
  'new_critical',
  'new_high',
  'overdue',
  'no_scan',
  'score_fell',
]

/** Reasons that need attention only while they are new. */
const recent: readonly string[] = ['scope_reduced']

/** Filters the reasons that need attention now. `isRecent`: the latest scan is within the requested time. */
export function reasonsOfNow<Reason extends string>(reasons: readonly Reason[], isRecent: boolean): Reason[] {
  return reasons.filter((reason) => lasting.includes(reason) || (isRecent && recent.includes(reason)))
}

/** By default, changes of the last day are new. */
export const newForSeconds = daySeconds
