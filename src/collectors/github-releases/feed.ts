import type { CollectOutcome } from '../collector.ts'
import { toFailure } from '../outcome.ts'
import { tagUrl } from './repository.ts'
import type { RepositoryContext } from './repository-context.ts'
import { AtomFeed } from './schema.ts'
import { foundRelease } from './to-release.ts'

const maxBytes = 4 * 1024 * 1024

/** The ten newest entries on the repository's page: releases, or tags if there are none. */
export async function collectFeed(look: RepositoryContext, file = 'releases.atom'): Promise<CollectOutcome> {
  const { repository, state, context, readTag } = look
  const { webUrl, owner, name } = repository
  const answer = await context.http.ask({
    url: `${webUrl}/${owner}/${name}/${file}`,
    types: ['application/atom+xml', 'application/xml', 'text/xml'],
    state: state.cursor === 'feed' ? state : {},
    maxBytes,
  })
  if (answer.kind === 'unchanged') return { kind: 'unchanged', state }
  if (answer.kind !== 'ok') return toFailure(answer)
  const feed = await parseFeed(answer.body.toString('utf8'))
  if (!feed) return { kind: 'unreachable', reason: 'the feed of releases is not what GitHub answers' }
  const releases = feed.entry.flatMap((entry) => {
    const tag = toTag(entry)
    return tag === undefined
      ? []
      : foundRelease(readTag, {
          tag,
          publishedAt: entry.updated,
          url: tagUrl(repository, tag),
          notes: entry.content,
          isRough: true,
        })
  })
  return { kind: 'changed', releases, state: { ...answer.state, cursor: 'feed' } }
}

async function parseFeed(text: string) {
  // Legitimate feeds have no declarations, which can be harmful.
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return undefined
  const { XMLParser } = await import('fast-xml-parser')
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    textNodeName: 'text',
    parseTagValue: false,
    isArray: (name) => name === 'entry' || name === 'link',
    stopNodes: ['feed.author', 'feed.entry.author'],
  })
  try {
    const parsed = AtomFeed.safeParse(flatten(parser.parse(text, true)))
    return parsed.success ? parsed.data.feed : undefined
  } catch {
    return undefined
  }
}

/** An element with attributes is an object, one without them its text. */
function flatten(document: { feed?: { entry?: { content?: string | { text?: string } }[] } }) {
  for (const entry of document.feed?.entry ?? []) {
    if (typeof entry.content === 'object') entry.content = entry.content.text ?? ''
  }
  return document
}

/** `/o/r/releases/tag/v1.2.3` → `v1.2.3` */
function toTagPath(href: string) {
  const [, ...behind] = href.split('/releases/tag/')
  const path = behind.join('/releases/tag/')
  return /[?#]/.test(path) ? undefined : path
}

/** `tag:github.com,2008:Repository/70107786/v1.2.3`: a tag may contain slashes. */
function toTag({ id, link }: { id: string; link: { href: string }[] }) {
  const named = /^tag:[^/]+:Repository\/\d+\/(.+)$/.exec(id)?.[1]
  if (named) return named
  const path = link.map(({ href }) => toTagPath(href)).find((found) => found)
  try {
    return path && decodeURIComponent(path)
  } catch {
    return undefined
  }
}
