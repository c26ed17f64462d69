import * as z from 'zod/mini'
import { gapStates, gateVerdicts } from './choices.ts'
import { ComparedReason, HeldBack } from './gate-baseline.ts'
import { documented, freeText, nullableText, nullableTime, optionalBoolean, requiredText, Timestamp } from './shape.ts'

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

/** What a rule about changes compared with. */
const ComparedWith = z.object({ run_id: nullableText, at: nullableTime, why: ComparedReason })

/** What left a rule undecided. */
const undecidedBy = z.optional(
  z
    .array(
      z.object({
        rule: requiredText(100),
        part: freeText(300),
        place: z.optional(freeText(300)),
        state: z.enum(gapStates),
        reason: freeText(500),
        /** The image, folder or tool; null: the cluster. */
        subject: z.optional(z.nullable(freeText(300))),
        /** What would decide it. */
        cure: z.optional(freeText(500)),
      }),
    )
    .check(z.maxLength(100)),
)

const Rule = z.object({
  rule: requiredText(100),
  verdict: GateVerdict,
  /** One sentence with the deciding numbers, or with what is missing. */
  reason: freeText(1000),
  /** Number of findings that exceptions let pass. */
  excepted: count,
  /** The policy let it pass, although something was not read or not known. */
  allowed_unknown: optionalBoolean,
  baseline: z.optional(ComparedWith),
  /** It passed against its own baseline and used none of its allowance: the run is its baseline now, without `held`. */
  moves: z.optional(z.object({ held: z.array(HeldBack).check(z.maxLength(5000)) })),
})

/** Where an exception applies: `prod-eu (prod)`, or `all clusters`. Absent for one of a policy file. */
const where = z.optional(requiredText(400))

/** An exception that was used. */
const UsedException = z.object({
  /** `relt.yaml:12`, or `exc_2b7f by ada` for one stored on the server. */
  source: requiredText(300),
  reason: freeText(1000),
  /** Last day of the exception. */
  expires: documented(z.string().check(z.regex(new RegExp(day))), { type: 'string', pattern: day }),
  matched: count,
  where,
})

const limits = { rules: 300, exceptions: 200, gaps: 100 }

/** A gate's decision about a run, rule by rule. */
export const GateRecord = z.object({
  policy: Policy,
  rules: z.array(Rule).check(z.minLength(1), z.maxLength(limits.rules)),
  /** Exceptions that were used. */
  exceptions: z._default(z.array(UsedException).check(z.maxLength(limits.exceptions)), []),
  /** Lines of the policy that let rules pass, although something was not read or not known. */
  undecided_lines: z._default(z.array(UsedException).check(z.maxLength(limits.exceptions)), []),
  undecided_by: undecidedBy,
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
      allowed_unknown: optionalBoolean,
      baseline: z.optional(ComparedWith),
    }),
  ),
  exceptions: z.array(
    z.object({ source: z.string(), reason: z.string(), expires: z.string(), matched: z.int(), where }),
  ),
  undecided_lines: z.optional(
    z.array(z.object({ source: z.string(), reason: z.string(), expires: z.string(), matched: z.int() })),
  ),
  undecided_by: undecidedBy,
  at: Timestamp,
  /** Login of the account that recorded it. */
  by: z.string(),
})
export type PolicyVerdict = z.infer<typeof PolicyVerdict>

/** Limits of a verdict, in short. */
const GateLimits = z.object({
  /** Number of rules that passed, although something was not read or not known. */
  let_pass: z.int(),
  /** The last day on which all used exceptions and lines are valid; null if none was used. */
  exceptions_end: nullableText,
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
