import * as z from 'zod/mini'
import { gateVerdicts } from './choices.ts'
import { documented, freeText, requiredText, Timestamp } from './shape.ts'

/** Everything in this file is an extension. */

export const GateVerdict = z.enum(gateVerdicts)
export type GateVerdict = z.infer<typeof GateVerdict>

const digestPattern = '^[0-9a-f]{64}$'
const day = '^\\d{4}-\\d{2}-\\d{2}$'
const count = z.int().check(z.gte(0), z.lte(1_000_000_000))

/** A policy with rules from a file, from options, or from both, as its name says. */
const Policy = z.object({
  name: requiredText(200),
  /** SHA-256 of its content, in hexadecimal. */
  digest: documented(z.string().check(z.regex(new RegExp(digestPattern))), { type: 'string', pattern: digestPattern }),
})

/** The rule was undecided, and `--allow-unknown` let it pass. Absent if the client did not record it. */
const allowedUnknown = z.optional(z.boolean())

const Rule = z.object({
  rule: requiredText(100),
  verdict: GateVerdict,
  /** One sentence with the deciding numbers, or with what is missing. */
  reason: freeText(1000),
  /** Number of findings that exceptions let pass. */
  excepted: count,
  allowed_unknown: allowedUnknown,
})

/** An exception that was used. */
const UsedException = z.object({
  /** `relt.yaml:12`, or `exc_2b7f by ada` for one stored on the server. */
  source: requiredText(300),
  reason: freeText(1000),
  /** Last day of the exception. */
  expires: documented(z.string().check(z.regex(new RegExp(day))), { type: 'string', pattern: day }),
  matched: count,
})

/** An entry in the policy that accepts parts of the accepted scope missing from the run. */
const UsedScope = z.object({
  /** `relt.yaml:14` */
  source: requiredText(300),
  reason: freeText(1000),
  matched: count,
})

const limits = { rules: 300, exceptions: 200 }

/** A gate's decision about a run, rule by rule. */
export const GateRecord = z.object({
  policy: Policy,
  rules: z.array(Rule).check(z.minLength(1), z.maxLength(limits.rules)),
  /** Exceptions that were used. */
  exceptions: z._default(z.array(UsedException).check(z.maxLength(limits.exceptions)), []),
  accept_scope: z._default(z.array(UsedScope).check(z.maxLength(limits.exceptions)), []),
})
export type GateRecord = z.input<typeof GateRecord>
export const gateRecordLimits = limits

/** The latest verdict of one policy. */
export const PolicyVerdict = z.object({
  verdict: GateVerdict,
  policy: z.object({ name: z.string(), digest: z.string() }),
  rules: z.array(
    z.object({
      rule: z.string(),
      verdict: GateVerdict,
      reason: z.string(),
      excepted: z.int(),
      allowed_unknown: allowedUnknown,
    }),
  ),
  exceptions: z.array(z.object({ source: z.string(), reason: z.string(), expires: z.string(), matched: z.int() })),
  accept_scope: z.optional(z.array(z.object({ source: z.string(), reason: z.string(), matched: z.int() }))),
  at: Timestamp,
  /** Login of the account that recorded it. */
  by: z.string(),
})
export type PolicyVerdict = z.infer<typeof PolicyVerdict>

/** Limits of a verdict, in short. */
const GateLimits = z.object({
  /**
   * Number of rules that passed, or may have passed, undecided; and number of missing parts of the accepted scope that the
   * policies allowed.
   */
  let_pass: z.int(),
  /** The last day on which all used exceptions are valid; null if none was used. */
  exceptions_end: z.nullable(z.string()),
})
export type GateLimits = z.infer<typeof GateLimits>

/** The worst of the policies' latest verdicts, and when the last of them was recorded. */
export const RunGate = z.object({
  verdict: GateVerdict,
  at: Timestamp,
  limits: z.optional(GateLimits),
  /** Only for a single run. */
  policies: z.optional(z.array(PolicyVerdict)),
})
export type RunGate = z.infer<typeof RunGate>
