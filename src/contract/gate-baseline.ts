import * as z from 'zod/mini'
import { FindingCounts, ReportFormat, RunId } from './scan-finding.ts'
import {
  clusterPlace,
  documented,
  nullableText,
  nullableTime,
  optionalBoolean,
  requiredText,
  success,
  Timestamp,
  texts,
} from './shape.ts'

/** Everything in this file is an extension. */

const dayPattern = '^\\d{4}-\\d{2}-\\d{2}$'
const Day = documented(z.string().check(z.regex(new RegExp(dayPattern))), { type: 'string', pattern: dayPattern })

/** A finding that an exception, or a day, let pass: it is not part of the baseline. */
export const HeldBack = z.object({
  fingerprint: documented(z.string().check(z.regex(/^[0-9a-f]{32}$/)), { type: 'string', pattern: '^[0-9a-f]{32}$' }),
  /** Last day on which it passes; null: as long as an exception accepts it. */
  until: z.nullable(Day),
})
export type HeldBack = z.infer<typeof HeldBack>

/**
 * Why a run is what a rule compares with: the rule, or a stricter one of its kind, passed; somebody took the run in; it was the
 * cluster's first run, by a person; it was asked for. Without a run: the subject is new in its cluster, or nothing began one.
 */
const reasons = ['passed', 'taken_in', 'begun', 'asked', 'new_subject', 'none'] as const

/** `begins`: a line of the policy begins one with this run; `previous`: the server has no baselines. */
export const ComparedReason = z.enum([...reasons, 'begins', 'previous'])
export type ComparedReason = z.infer<typeof ComparedReason>

/** What a rule compares a run with. */
export const RuleBaseline = z.object({
  rule: z.string(),
  run_id: z.nullable(RunId),
  /** Time of its scan. */
  at: nullableTime,
  why: z.enum(reasons),
  held: z.array(HeldBack),
  /** A later run that somebody took in until a day. */
  taken_in: z.nullable(
    z.object({
      run_id: RunId,
      at: Timestamp,
      /** Null for a commit or day of the policy. */
      until: nullableText,
      /** Login; or the commit or day as asked for. */
      by: z.string(),
    }),
  ),
})
export type RuleBaseline = z.infer<typeof RuleBaseline>

export const TakeInRun = z.object({
  run_id: RunId,
  reason: requiredText(1000),
  /** The last day (UTC). Without it, what the run has stays taken in, and what it did not read is no longer expected. */
  until: z.optional(Day),
  /** Tells what it would take in, without doing it. */
  dry_run: optionalBoolean,
})
export type TakeInRun = z.infer<typeof TakeInRun>

export const TakenIn = z.object({
  ...success,
  run_id: RunId,
  ...clusterPlace,
  format: ReportFormat,
  subject: nullableText,
  /** Findings that were not in a baseline before; they stay open, and `relt status` counts them. */
  takes_in: FindingCounts,
  /** Checks, namespaces and kinds of reports that are no longer expected. */
  drops: texts,
  until: nullableText,
  reason: z.string(),
  made_at: Timestamp,
  made_by: z.string(),
})
export type TakenIn = z.infer<typeof TakenIn>
