import * as z from 'zod/mini'

/** The parts of https://ossf.github.io/osv-schema that relt reads, and the severity that databases add. */
export const Vulnerability = z.object({
  id: z.string().check(z.maxLength(100)),
  aliases: z.nullish(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(1000))),
  withdrawn: z.nullish(z.string()),
  summary: z.nullish(z.string()),
  details: z.nullish(z.string()),
  severity: z.nullish(z.array(z.object({ score: z.string() }))),
  database_specific: z.nullish(z.object({ severity: z.optional(z.unknown()) })),
})
