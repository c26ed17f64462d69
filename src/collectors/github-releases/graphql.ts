import type { FoundRelease } from '../../catalog/found-release.ts'
import type { CollectOutcome } from '../collector.ts'
import { tagUrl } from './repository.ts'
import type { RepositoryContext } from './repository-context.ts'
import type { GraphqlPage } from './schema.ts'
import { foundRelease } from './to-release.ts'

const maxPages = 20

/** Releases, or tags. Does not change the state, because GraphQL has no conditional requests. */
export async function collectByGraphql(look: RepositoryContext, what: 'releases' | 'tags'): Promise<CollectOutcome> {
  const { repository, context, batches, state } = look
  const releases: FoundRelease[] = []
  let after: string | null = null
  for (let page = 1; page <= maxPages; page++) {
    const answer = await batches.ask({ repository, what, after, http: context.http })
    if (answer.kind !== 'page') return answer
    const { found, pageInfo } = read(look, answer.page)
    releases.push(...found)
    const { since } = context
    const isEnough = since === undefined ? releases.length > 0 : found.some(({ publishedAt }) => publishedAt <= since)
    if (isEnough || !pageInfo?.hasNextPage) break
    after = pageInfo.endCursor
  }
  if (what === 'releases' && releases.length === 0) return collectByGraphql(look, 'tags')
  return { kind: 'changed', releases, state }
}

function read({ repository, readTag }: RepositoryContext, { releases, refs }: GraphqlPage) {
  const found = [
    ...(releases?.nodes ?? [])
      .filter((release) => !release.isDraft)
      .flatMap(({ tagName, publishedAt, createdAt, url, descriptionHTML, isPrerelease }) =>
        foundRelease(readTag, {
          tag: tagName,
          publishedAt: publishedAt ?? createdAt,
          url,
          notes: descriptionHTML,
          isPrerelease,
        }),
      ),
    ...(refs?.nodes ?? []).flatMap(({ name, target }) => {
      const publishedAt = target?.tagger?.date ?? target?.committedDate ?? target?.target?.committedDate
      return publishedAt === undefined
        ? []
        : foundRelease(readTag, { tag: name, publishedAt, url: tagUrl(repository, name) })
    }),
  ]
  return { found, pageInfo: (releases ?? refs)?.pageInfo }
}
