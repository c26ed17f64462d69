import * as z from 'zod/mini'
import { hasCredentials } from '../util/address.ts'
import { parseTimestamp } from '../util/time.ts'
import { severities } from './choices.ts'
import { advisoryId, inner, noNul, oneLine, padded, someText, timestampIn, webAddress } from './patterns.ts'

/** Wire shapes that several nouns share. */

/** Sets a shape's JSON Schema for the OpenAPI document, if it does not follow from its checks. */
export function documented<T extends z.ZodMiniType>(schema: T, json: Record<string, unknown>): T {
  schema._zod.toJSONSchema = () => ({ ...json })
  // Zod would look for what the shape was made of, which it has not seen then.
  delete schema._zod.parent
  return schema
}

export const Severity = z.enum(severities)
export type Severity = z.infer<typeof Severity>

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export const Timestamp = z.string().check(z.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/))

/** In an answer: null if absent; other servers write an empty text. */
export function emptyIsNull<T extends z.ZodMiniType>(shape: T) {
  return z.pipe(
    z.transform((value: unknown) => (value === '' ? null : value)),
    z.nullable(shape),
  )
}

/** A whole number in a query or path: a number, or its decimal digits. */
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

/** A yes/no in a query: a boolean, or `true`, `false`, `1`, `0`. */
export const flag = documented(
  z.pipe(
    z.union([z.boolean(), z.enum(['true', 'false', '1', '0'])], { error: 'must be true or false' }),
    z.transform((value: boolean | 'true' | 'false' | '1' | '0') => value === true || value === 'true' || value === '1'),
  ),
  { type: 'boolean' },
)

/** One line of text, trimmed and in Unicode's form NFC; an empty string counts as absent. */
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

/** Text of any number of lines. */
export function freeText(maxLength: number) {
  return documented(z.string().check(z.maxLength(maxLength)), { type: 'string', maxLength, pattern: noNul })
}

function line(maxLength: number) {
  return z.string().check(
    // As it came: the document cannot say of a text what it is without the blanks around it.
    z.maxLength(maxLength, { error: `must have at most ${maxLength} characters` }),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    z.regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, { error: 'must not contain control characters' }),
    z.trim(),
    z.normalize('NFC'),
  )
}

/** A CVE or GHSA id and nothing else. */
export const AdvisoryId = documented(
  z
    .string()
    .check(
      z.trim(),
      z.regex(new RegExp(advisoryId), { error: 'must be an id like CVE-2026-1234 or GHSA-qppj-fm5r-hxr3' }),
    ),
  { type: 'string', pattern: padded(inner(advisoryId)) },
)

/** An address that everybody may see. */
export const isWebAddress = (value: string): boolean => isAnyWebAddress(value) && !hasCredentials(value)

/** An address of the web in full: nothing in it that a parser would drop, and a terminal would not. It may be a secret. */
export function isAnyWebAddress(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  return /^https?:\/\/[^\s\u0000-\u001f\u007f-\u009f]+$/.test(value) && URL.canParse(value)
}

/** A web address in full, or nothing: for people to open. Every address of a body that is no webhook has this shape. */
export const address = documented(
  z.string().check(
    z.maxLength(2000),
    z.refine((value) => value === '' || isWebAddress(value), 'must be a web address without credentials'),
  ),
  { type: 'string', maxLength: 2000, pattern: webAddress },
)

/** A time as clients send it: `YYYY-MM-DD HH:MM:SS` (UTC) or ISO 8601; becomes unix seconds. Empty is absent. */
export const timeIn = documented(
  z.pipe(
    z.string().check(z.maxLength(64)),
    z.transform((value: string, context: { issues: z.core.$ZodRawIssue[] }) => {
      if (value === '') return undefined
      // The document cannot say of a text what it is without the blanks around it.
      const seconds = value === value.trim() ? parseTimestamp(value) : undefined
      if (seconds === undefined) {
        context.issues.push({ code: 'custom', message: 'must be YYYY-MM-DD HH:MM:SS or ISO 8601', input: value })
      }
      return seconds
    }),
  ),
  { type: 'string', maxLength: 64, pattern: timestampIn },
)

/** Ids beyond the safe integers do not exist: they answer 404 like any unknown id. */
export const Id = z.int().check(z.gte(1))

/** An id in a body. Any whole number is taken: one that is no id is not found. */
export const IdIn = documented(z.int(), { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** The same in a path, where it is text. */
export const idInPath = documented(z.string(), { type: 'integer', minimum: 1, maximum: 999_999_999_999_999 })

export const page = z._default(whole({ min: 1, max: 1_000_000 }), 1)
export const perPage = z._default(whole({ min: 1, max: 100 }), 20)

export function toPage<T extends z.core.$ZodType>(item: T) {
  return z.object({
    page: z.int(),
    per_page: z.int(),
    total: z.int(),
    total_pages: z.int(),
    items: z.array(item),
  })
}
