import { RecentValues } from '../../util/recent-values.ts'
import type { Collector } from '../collector.ts'
import type { HttpAnswer } from '../http/answer.ts'
import type { SourceRequest } from '../http/question.ts'
import type { Http } from '../http.ts'
import { authorization, compareCursor, toFailure } from '../outcome.ts'
import { shortHash } from '../short-hash.ts'

/** Media types that servers use for YAML; plain file servers do not know it. */
const types = [
  'application/yaml',
  'application/x-yaml',
  'text/yaml',
  'text/x-yaml',
  'text/vnd.yaml',
  'text/plain',
  'application/json',
  'application/octet-stream',
  'binary/octet-stream',
]
const maxBytes = 64 * 1024 * 1024

/**
 * Chart versions from the `index.yaml` of a repository. The cursor is a hash of the charts' names and one of their content.
 */
export function createHelmCollector(): Collector {
  const shared = new RecentValues<Promise<HttpAnswer>>(mostBytes)
  return {
    async collect({ url: address, slug, chartNames, credential }, { cursor = '', ...tags }, { http, now, since }) {
      const url = toIndexUrl(address)
      if (!url) return { kind: 'absent', reason: 'the address is none of a Helm repository' }
      const names = chartNames.length > 0 ? chartNames : [slug]
      const asked = shortHash(names)
      const known = since === undefined && cursor.startsWith(asked) ? { cursor, ...tags } : {}
      const answer = await askShared(shared, http, {
        url,
        types,
        maxBytes,
        state: known,
        secretHeaders: authorization(credential?.secret, credential?.username),
      })
      if (answer.kind === 'unchanged') return { kind: 'unchanged', state: known }
      if (answer.kind !== 'ok') return toFailure(answer)
      const { readReleases } = await import('./index-releases.ts')
      const releases = readReleases(answer.body, names, { indexUrl: answer.url, now: now(), since })
      if (releases === 'unreadable')
        return { kind: 'unreachable', reason: 'the index is not in a form that Helm writes' }
      if (!releases) return { kind: 'absent', reason: `the repository has no chart ${names.join(', ')}` }
      // Without times that are only those of the sync.
      const lasting = releases.map((release) => (release.isRough ? { ...release, publishedAt: 0 } : release))
      return compareCursor({ releases, state: { ...answer.state, cursor: `${asked} ${shortHash(lasting)}` } }, known)
    },
  }
}

/** Cache of indexes shared by projects; the least recently used is evicted first. */
const mostBytes = 64 * 1024 * 1024

/** Shares a request between projects: a repository can have the charts of dozens. */
async function askShared(kept: RecentValues<Promise<HttpAnswer>>, http: Http, question: SourceRequest) {
  const { url, state, secretHeaders } = question
  const key = JSON.stringify([url, state?.etag, state?.lastModified, secretHeaders])
  const asked = kept.get(key) ?? http.ask(question)
  kept.set(key, asked, 0)
  const answer = await asked
  kept.set(key, asked, answer.kind === 'ok' ? answer.body.length : 0)
  return answer
}

function toIndexUrl(text: string) {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  url.username = ''
  url.password = ''
  url.hash = ''
  if (!url.pathname.endsWith('/index.yaml')) url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/index.yaml`
  return url.href
}
