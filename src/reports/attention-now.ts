import { daySeconds } from '../util/time.ts'

/**
 * Reasons that need somebody now. They do not age out: a vulnerability that has been exploited for 60 days still is, and a scan
 * without an earlier answer has had none.
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

/** Reasons that need somebody only while they are new. */
const recent: readonly string[] = ['new_high', 'scope_reduced']

/** The reasons that are of now; the others are known. `isRecent`: the latest scan is as new as was asked for. */
export function reasonsOfNow<Reason extends string>(reasons: readonly Reason[], isRecent: boolean): Reason[] {
  return reasons.filter((reason) => lasting.includes(reason) || (isRecent && recent.includes(reason)))
}

/** Unless somebody asks for another time, what came in the last day is new. */
export const newForSeconds = daySeconds
