import * as z from 'zod/mini'
import { parseTimestamp } from '../../util/time.ts'

/** The members of GitHub's answers that relt reads. */

const tag = z.string().check(z.minLength(1), z.maxLength(256))
const time = z.pipe(
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

const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.nullable(z.string()) })

const Commit = z.object({ committedDate: z.optional(time) })

/** https://docs.github.com/graphql/reference/objects#release */
const GraphqlRelease = z.object({
  tagName: tag,
  url: z.string(),
  isDraft: z.boolean(),
  isPrerelease: z.boolean(),
  createdAt: time,
  publishedAt: z.nullable(time),
  descriptionHTML: z.nullable(z.string()),
})

/** An annotated tag has its own time, others that of their commit. */
const GraphqlTag = z.object({
  name: tag,
  target: z.nullable(
    z.extend(Commit, {
      tagger: z.optional(z.nullable(z.object({ date: z.nullable(time) }))),
      target: z.optional(Commit),
    }),
  ),
})

/** Whether a repository is archived, and a page of its releases and tags. */
export const GraphqlPage = z.object({
  isArchived: z.optional(z.boolean()),
  archivedAt: z.optional(z.nullable(time)),
  releases: z.optional(z.object({ nodes: z.array(GraphqlRelease), pageInfo: PageInfo })),
  refs: z.optional(z.nullable(z.object({ nodes: z.array(GraphqlTag), pageInfo: PageInfo }))),
})
export type GraphqlPage = z.infer<typeof GraphqlPage>

/** Parts are validated separately, so that an invalid one does not affect the others. */
export const GraphqlAnswer = z.object({
  data: z.nullish(z.record(z.string(), z.unknown())),
  errors: z.optional(
    z.array(
      z.object({
        type: z.optional(z.string()),
        message: z.string(),
        path: z.optional(z.array(z.union([z.string(), z.number()]))),
      }),
    ),
  ),
})

const Link = z.object({ href: z.string() })

/** https://github.com/OWNER/NAME/releases.atom, as parsed by `fast-xml-parser`. */
export const AtomFeed = z.object({
  feed: z.object({
    entry: z._default(
      z.array(
        z.object({
          id: z.string(),
          updated: time,
          link: z.array(Link),
          content: z.optional(z.string()),
        }),
      ),
      [],
    ),
  }),
})
