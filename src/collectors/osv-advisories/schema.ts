import * as z from 'zod/mini'

const text = (longest: number) => z.string().check(z.maxLength(longest))
const time = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'a time'))
const version = text(200)

const Severities = z.nullish(z.array(z.object({ score: z.string() })).check(z.maxLength(100)))

const Event = z.object({
  introduced: z.nullish(version),
  fixed: z.nullish(version),
  last_affected: z.nullish(version),
})

const Ranges = z.nullish(
  z.array(z.object({ type: text(50), events: z.array(Event).check(z.maxLength(2000)) })).check(z.maxLength(500)),
)

/** The parts of https://ossf.github.io/osv-schema that relt reads. */
export const OsvRecord = z.object({
  id: text(100),
  aliases: z.nullish(z.array(text(100)).check(z.maxLength(1000))),
  published: z.nullish(time),
  modified: z.nullish(time),
  withdrawn: z.nullish(time),
  summary: z.nullish(z.string()),
  severity: Severities,
  database_specific: z.nullish(z.object({ severity: z.optional(z.unknown()) })),
  affected: z.nullish(
    z
      .array(
        z.object({
          package: z.nullish(z.object({ ecosystem: text(100), name: text(500) })),
          severity: Severities,
          ranges: Ranges,
          /** The Go database has versions here that are none of the module's. */
          ecosystem_specific: z.nullish(z.object({ custom_ranges: Ranges })),
          versions: z.nullish(z.array(version).check(z.maxLength(50_000))),
        }),
      )
      .check(z.maxLength(2000)),
  ),
})
export type OsvRecord = z.infer<typeof OsvRecord>

/** https://google.github.io/osv.dev/post-v1-query/ */
export const QueryAnswer = z.object({
  vulns: z.nullish(z.array(OsvRecord).check(z.maxLength(20_000))),
  next_page_token: z.nullish(text(4000)),
})
