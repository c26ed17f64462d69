import * as z from 'zod/mini'
import { hasCredentials } from '../util/address.ts'
import { parseTimestamp } from '../util/time.ts'
import { severities } from './choices.ts'
import { advisoryId, inner, noNul, oneLine, padded, someText, timestampIn, webAddress } from './patterns.ts'

/** Wire schemas that several nouns share. */

/** Sets a schema's JSON Schema for the OpenAPI document, if it does not follow from its checks. */
export function documented<T extends z.ZodMiniType>(schema: T, json: Record<string, unknown>) {
  schema._zod.toJSONSchema = () => ({ ...json })
  // Otherwise zod would look up the original schema, which it has not seen.
  delete schema._zod.parent
  return schema
}

export const Severity = z.enum(severities)
export type Severity = z.infer<typeof Severity>

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export const Timestamp = z.string().check(z.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/))

/** Common fields of answers. Null means unknown or absent; some answers omit optional fields. */
export const nullableText = z.nullable(z.string())
export const nullableInt = z.nullable(z.int())
export const nullableNumber = z.nullable(z.number())
export const nullableTime = z.nullable(Timestamp)
export const optionalText = z.optional(z.string())
export const optionalInt = z.optional(z.int())
export const optionalBoolean = z.optional(z.boolean())
export const optionalTime = z.optional(Timestamp)
export const optionalTrue = z.optional(z.literal(true))
export const texts = z.array(z.string())
export const optionalTexts = z.optional(texts)

/** Part of most answers that are not a page. */
export const success = { success: z.literal(true) }

/** Since when findings are new, and the time zone that texts show it in. */
export const newsTime = { since: optionalTime, time_zone: optionalText }

/** In answers: null if absent; other servers use an empty text. */
export function emptyIsNull<T extends z.ZodMiniType>(shape: T) {
  return z.pipe(
    z.transform((value: unknown) => (value === '' ? null : value)),
    z.nullable(shape),
  )
}

/** A whole number in a query or path: a number, or decimal digits. */
export function whole(options: { min: number; max: number }) {
  const { min, max } = options
  const schema = z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^\d{1,16}$/))], {
      error: `must be a whole number from ${min} to ${max}`,
    }),
    z.pipe(
      z.transform((value: string | number) => Number(value)),
      z
        .int({ error: `must be a whole number from ${min} to ${max}` })
        .check(z.gte(min, { error: `must be at least ${min}` }), z.lte(max, { error: `must be at most ${max}` })),
    ),
  )
  return documented(schema, { type: 'integer', minimum: min, maximum: max })
}

/** A boolean in a query: a boolean, or `true`, `false`, `1`, `0`. */
export const flag = documented(
  z.pipe(
    z.union([z.boolean(), z.enum(['true', 'false', '1', '0'])], { error: 'must be true or false' }),
    z.transform((value: boolean | 'true' | 'false' | '1' | '0') => value === true || value === 'true' || value === '1'),
  ),
  { type: 'boolean' },
)

/** One line of text, trimmed and NFC-normalized; an empty string counts as absent. */
export function text(maxLength: number) {
  const schema = z.pipe(
    line(maxLength),
    z.transform((value: string) => (value === '' ? undefined : value)),
  )
  return documented(schema, { type: 'string', maxLength, pattern: oneLine })
}

/** One line of text that is not empty. */
export function requiredText(maxLength: number) {
  const schema = line(maxLength).check(z.minLength(1, { error: 'must not be empty' }))
  return documented(schema, { type: 'string', minLength: 1, maxLength, pattern: someText })
}

/** Text with any number of lines. */
export function freeText(maxLength: number) {
  return documented(z.string().check(z.maxLength(maxLength)), { type: 'string', maxLength, pattern: noNul })
}

function line(maxLength: number) {
  return z.string().check(
    // Length before trimming: JSON Schema cannot describe the trimmed text.
    z.maxLength(maxLength, { error: `must have at most ${maxLength} characters` }),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    z.regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, { error: 'must not contain control characters' }),
    z.trim(),
    z.normalize('NFC'),
  )
}

/** Exactly a CVE or GHSA id. */
export const AdvisoryId = documented(
  z
    .string()
    .check(
      z.trim(),
      z.regex(new RegExp(advisoryId), { error: 'must be an id like CVE-2026-1234 or GHSA-qppj-fm5r-hxr3' }),
    ),
  { type: 'string', pattern: padded(inner(advisoryId)) },
)

/** A URL without secrets. */
export const isWebAddress = (value: string) => isAnyWebAddress(value) && !hasCredentials(value)

/** A complete web URL: without characters that a URL parser would drop, but a terminal would not. May contain a secret. */
export function isAnyWebAddress(value: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  return /^https?:\/\/[^\s\u0000-\u001f\u007f-\u009f]+$/.test(value) && URL.canParse(value)
}

/** A complete web URL, or empty, for users to open. All URLs in bodies except webhooks use this schema. */
export const address = documented(
  z.string().check(
    z.maxLength(2000),
    z.refine((value) => value === '' || isWebAddress(value), 'must be a web address without credentials'),
  ),
  { type: 'string', maxLength: 2000, pattern: webAddress },
)

/** A time from a client: `YYYY-MM-DD HH:MM:SS` (UTC) or ISO 8601; converted to unix seconds. Empty counts as absent. */
export const timeIn = documented(
  z.pipe(
    z.string().check(z.maxLength(64)),
    z.transform((value: string, context: { issues: z.core.$ZodRawIssue[] }) => {
      if (value === '') return undefined
      // JSON Schema cannot describe the trimmed text.
      const seconds = value === value.trim() ? parseTimestamp(value) : undefined
      if (seconds === undefined) {
        context.issues.push({ code: 'custom', message: 'must be YYYY-MM-DD HH:MM:SS or ISO 8601', input: value })
      }
      return seconds
    }),
  ),
  { type: 'string', maxLength: 64, pattern: timestampIn },
)

/** Ids beyond the safe integers do not exist: such requests return 404, as for any unknown id. */
export const Id = z.int().check(z.gte(1))

/** An id in a body. Accepts any whole number: an invalid id is simply not found. */
export const IdIn = documented(z.int(), { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** An id in a path, where it is text. */
export const idInPath = documented(z.string(), { type: 'integer', minimum: 1, maximum: 999_999_999_999_999 })

export const page = z._default(whole({ min: 1, max: 1_000_000 }), 1)
/** The page of a list that a query asks for. */
export const paging = { page, per_page: z._default(whole({ min: 1, max: 100 }), 20) }

/** A query's choice of clusters. */
export const clusterChoice = { cluster_name: z.optional(text(253)), environment: z.optional(text(100)) }

/** A cluster in an answer. */
export const clusterPlace = { cluster_name: z.string(), environment: z.string() }

/** Fields of a page around its items. */
export const pageFields = { page: z.int(), per_page: z.int(), total: z.int(), total_pages: z.int() }

export const toPage = <T extends z.core.$ZodType>(item: T) => z.object({ ...pageFields, items: z.array(item) })
