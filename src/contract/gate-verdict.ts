import * as z from 'zod/mini'
import { gateVerdicts } from './choices.ts'
import { documented, freeText, requiredText, Timestamp } from './shape.ts'

/** All of this is an extension. */

export const GateVerdict = z.enum(gateVerdicts)
export type GateVerdict = z.infer<typeof GateVerdict>

const digestPattern = '^[0-9a-f]{64}$'
const day = '^\\d{4}-\\d{2}-\\d{2}$'
const count = z.int().check(z.gte(0), z.lte(1_000_000_000))

/** Its rules are those of a file, of options, or of both; the name says which. */
const Policy = z.object({
  name: requiredText(200),
  /** SHA-256 of what it says, in hexadecimal. */
  digest: documented(z.string().check(z.regex(new RegExp(digestPattern))), { type: 'string', pattern: digestPattern }),
})

/** It could not be decided, and `--allow-unknown` let it pass. Absent where a client did not record it. */
const allowedUnknown = z.optional(z.boolean())

const Rule = z.object({
  rule: requiredText(100),
  verdict: GateVerdict,
  /** One sentence with the numbers that decide, or with what is missing. */
  reason: freeText(1000),
  /** How much exceptions let pass. */
  excepted: count,
  allowed_unknown: allowedUnknown,
})

/** An exception that let something pass. */
const UsedException = z.object({
  /** `relt.yaml:12`, or `exc_2b7f by ada` for one that the server stores. */
  source: requiredText(300),
  reason: freeText(1000),
  /** Its last day. */
  expires: documented(z.string().check(z.regex(new RegExp(day))), { type: 'string', pattern: day }),
  matched: count,
})

/** An entry of the policy that accepts what the run lacks of the accepted scope. */
const UsedScope = z.object({
  /** `relt.yaml:14` */
  source: requiredText(300),
  reason: freeText(1000),
  matched: count,
})

const limits = { rules: 300, exceptions: 200 }

/** Decision of a gate about a run, rule by rule. */
export const GateRecord = z.object({
  policy: Policy,
  rules: z.array(Rule).check(z.minLength(1), z.maxLength(limits.rules)),
  /** Those that were used. */
  exceptions: z._default(z.array(UsedException).check(z.maxLength(limits.exceptions)), []),
  accept_scope: z._default(z.array(UsedScope).check(z.maxLength(limits.exceptions)), []),
})
export type GateRecord = z.input<typeof GateRecord>
export const gateRecordLimits = limits

/** The latest verdict by one policy. */
export const PolicyVerdict = z.object({
  verdict: GateVerdict,
  policy: z.object({ name: z.string(), digest: z.string() }),
  rules: z.array(
    z.object({
      ...{ rule: z.string(), verdict: GateVerdict, reason: z.string(), excepted: z.int() },
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

/** What a verdict rests on, in short. */
const GateLimits = z.object({
  /** How many rules passed undecided, or may have, and how much of the accepted scope the policies let be missing. */
  let_pass: z.int(),
  /** The last day on which all exceptions hold that were used; null: none was. */
  exceptions_end: z.nullable(z.string()),
})
export type GateLimits = z.infer<typeof GateLimits>

/** The worst of the latest verdicts by each policy, and when the last of them was recorded. */
export const RunGate = z.object({
  verdict: GateVerdict,
  at: Timestamp,
  limits: z.optional(GateLimits),
  /** Only where a single run is asked for. */
  policies: z.optional(z.array(PolicyVerdict)),
})
export type RunGate = z.infer<typeof RunGate>
