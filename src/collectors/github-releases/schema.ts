import * as z from 'zod/mini'
import { parseTimestamp } from '../../util/time.ts'

/** The members of GitHub's answers that relt reads. */

const tag = z.string().check(z.minLength(1), z.maxLength(256))
export const time = z.pipe(
  z.string(),
  z.transform((text, context: { issues: z.core.$ZodRawIssue[] }) => {
    const seconds = parseTimestamp(text)
    if (seconds === undefined) context.issues.push({ code: 'custom', message: 'a time', input: text })
    return seconds ?? 0
  }),
)

/** https://docs.github.com/rest/releases/releases#list-releases, with the notes as HTML. */
export const RestReleases = z
  .array(
    z.object({
      tag_name: tag,
      html_url: z.string(),
      draft: z.boolean(),
      prerelease: z.boolean(),
      created_at: time,
      published_at: z.nullable(time),
      body_html: z.optional(z.nullable(z.string())),
    }),
  )
  .check(z.maxLength(100))
