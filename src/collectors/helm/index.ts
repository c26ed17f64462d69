import { RecentValues } from '../../util/recent-values.ts'
import type { CollectContext, Collector, Source } from '../collector.ts'
import type { HttpAnswer } from '../http/answer.ts'
import type { SourceRequest } from '../http/question.ts'
import type { Http } from '../http.ts'
import { authorization, toFailure } from '../outcome.ts'
import { shortHash } from '../short-hash.ts'
import type { SourceState } from '../source-state.ts'

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
    async collect(source: Source, state: SourceState, context: CollectContext) {
      const url = toIndexUrl(source.url)
      if (!url) return { kind: 'absent', reason: 'the address is none of a Helm repository' }
      const names = source.chartNames.length > 0 ? source.chartNames : [source.slug]
      const [asked, known] = (state.cursor ?? '').split(' ')
      const askedNow = shortHash(names)
      const isSame = asked === askedNow && context.since === undefined
      const answer = await askShared(shared, context.http, {
        url,
        types,
        maxBytes,
        state: isSame ? state : {},
        secretHeaders: authorization(source.credential?.secret, source.credential?.username),
      })
      if (answer.kind === 'unchanged') return { kind: 'unchanged', state }
      if (answer.kind !== 'ok') return toFailure(answer)
      const read = await readReleases(answer.body, { names, indexUrl: answer.url, context })
      if (read === 'unreadable') return { kind: 'unreachable', reason: 'the index is not in a form that Helm writes' }
      if (!read) return { kind: 'absent', reason: `the repository has no chart ${names.join(', ')}` }
      // Without times that are only those of the sync.
      const lasting = read.map((release) => (release.isRough ? { ...release, publishedAt: 0 } : release))
      const next = { ...answer.state, cursor: `${askedNow} ${shortHash(lasting)}` }
      // A regenerated index may differ without changed charts.
      if (isSame && next.cursor === `${asked} ${known}`) return { kind: 'unchanged', state: next }
      return { kind: 'changed', releases: read, state: next }
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

/** Undefined if none of the charts exists. */
async function readReleases(
  body: Buffer,
  { names, indexUrl, context }: { names: string[]; indexUrl: string; context: CollectContext },
) {
  const { cutIndex, isJson, parseIndex, parseJsonIndex } = await import('./read-index.ts')
  const { foundReleases } = await import('./index-releases.ts')
  const yaml = (await import('./yaml.ts')).createYamlParser()
  const read = (parse: typeof cutIndex) => {
    const charts = [...parse(body, new Set(names), yaml)]
    if (charts.length === 0) return undefined
    return charts.flatMap(([chartName, entries]) =>
      foundReleases(entries, { chartName, indexUrl, now: context.now(), since: context.since, parse: yaml }),
    )
  }
  try {
    return isJson(body) ? read(parseJsonIndex) : read(cutIndex)
  } catch {
    try {
      return read(parseIndex)
    } catch {
      return 'unreadable'
    }
  }
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
