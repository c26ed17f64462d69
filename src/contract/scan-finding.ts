import * as z from 'zod/mini'
import { findingSeverities, type ratedSeverities, runFormats } from './choices.ts'
import { nullableText, optionalBoolean, optionalInt, optionalText, optionalTime, optionalTrue } from './shape.ts'
import { Exploited } from './state-facts.ts'

export const RunId = z.string().check(z.regex(/^crun_[A-Za-z0-9-]{1,64}$/))

export const FindingSeverity = z.enum(findingSeverities)
export type FindingSeverity = z.infer<typeof FindingSeverity>

export type RatedSeverity = (typeof ratedSeverities)[number]

/** Scanners with supported reports. */
export const ReportFormat = z.enum(runFormats)
export type ReportFormat = z.infer<typeof ReportFormat>

/** An exception on the server that covers a finding until the end of a day. */
export const FindingAcceptance = z.object({
  exception_id: z.string(),
  reason: z.string(),
  /** Last day of the exception, `YYYY-MM-DD`. */
  expires_on: z.string(),
  /** Name of the project whose next release ends it earlier. */
  next_release_of: optionalText,
  /** Login of the creator. */
  accepted_by: z.string(),
})
export type FindingAcceptance = z.infer<typeof FindingAcceptance>

export const Finding = z.object({
  fingerprint: z.string(),
  check_id: z.string(),
  check_name: z.string(),
  category: z.string(),
  severity: FindingSeverity,
  namespace: nullableText,
  resource: nullableText,
  message: z.string(),
  value: nullableText,
  /** An extension: number of equal rows in one run, such as replicas or nodes of a pool. */
  count: optionalInt,
  /** An extension: the scanner gives no severity, so relt assigned `severity`. */
  is_unrated: optionalBoolean,
  /** An extension: time of the last scan that covered the finding, if the run does not cover it. The finding stays open. */
  not_looked_at_since: optionalTime,
  /** An extension: it is not covered because its template, such as a CronJob, has no pods now. */
  is_at_rest: optionalTrue,
  /** An extension: that the scan did not cover it is a guess: a filter by severity or of what has no fix left it out. */
  is_guessed: optionalTrue,
  /** An extension: the vulnerability is known to be exploited. */
  exploited: z.optional(Exploited),
  /** An extension: an active exception covers the finding, which then does not count. */
  accepted: z.optional(FindingAcceptance),
  /** An extension: places of a finding about an image, at most 100 of `count`. Its namespace is null if it is in several. */
  workloads: z.optional(z.array(z.object({ namespace: nullableText, resource: z.string(), container: nullableText }))),
})
export type Finding = z.infer<typeof Finding>

export const FindingCounts = z.object({
  total: z.int(),
  critical: z.int(),
  high: z.int(),
  medium: z.int(),
  low: z.int(),
  info: z.int(),
  /** An extension: number of findings whose severity the report does not state in a form that relt knows. */
  unknown: z._default(z.int(), 0),
})
export type FindingCounts = z.infer<typeof FindingCounts>
