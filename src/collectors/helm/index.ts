import type { FoundRelease } from '../../catalog/found-release.ts'
import type { CollectContext, CollectOutcome, Collector, Source } from '../collector.ts'
import type { SourceRequest } from '../http/question.ts'
import type { Http, HttpAnswer } from '../http.ts'
import { shortHash } from '../short-hash.ts'
import type { SourceState } from '../source-state.ts'

/** Media types that servers use for YAML; plain file servers do not know it. */
const types = [
  ...['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml', 'text/vnd.yaml', 'text/plain'],
  ...['application/json', 'application/octet-stream', 'binary/octet-stream'],
]
const maxBytes = 64 * 1024 * 1024

/**
 * Chart versions from the `index.yaml` of a repository. The cursor is a hash of the charts' names and one of their content.
 */
export function createHelmCollector(): Collector {
  const shared = new SharedAnswers()
  return {
    async collect(source: Source, state: SourceState, context: CollectContext): Promise<CollectOutcome> {
      const url = toIndexUrl(source.url)
      if (!url) return { kind: 'absent', reason: 'the address is none of a Helm repository' }
      const names = source.chartNames.length > 0 ? source.chartNames : [source.slug]
      const [asked, known] = (state.cursor ?? '').split(' ')
      const askedNow = shortHash(names)
      const isSame = asked === askedNow && context.since === undefined
      const answer = await shared.ask(context.http, {
        url,
        types,
        maxBytes,
        state: isSame ? state : {},
        secretHeaders: authorization(source),
      })
      if (answer.kind === 'unchanged') return { kind: 'unchanged', state }
      if (answer.kind === 'denied') return { kind: 'unreachable', reason: answer.reason }
      if (answer.kind !== 'ok') return answer
      const read = await readReleases(answer.body, { names, indexUrl: answer.url, context })
      if (read === 'unreadable') return { kind: 'unreachable', reason: 'the index is not in a form that Helm writes' }
      if (!read) return { kind: 'absent', reason: `the repository has no chart ${names.join(', ')}` }
      const next = { ...answer.state, cursor: `${askedNow} ${shortHash(read.map(lasting))}` }
      // A regenerated index may differ without changed charts.
      if (isSame && next.cursor === `${asked} ${known}`) return { kind: 'unchanged', state: next }
      return { kind: 'changed', releases: read, state: next }
    },
  }
}

/** Cache of indexes shared by projects; the least recently used is evicted first. */
const mostBytes = 64 * 1024 * 1024

/** Shares a request between projects: a repository can have the charts of dozens. */
class SharedAnswers {
  readonly #kept = new Map<string, { asked: Promise<HttpAnswer>; bytes: number }>()

  async ask(http: Http, question: SourceRequest): Promise<HttpAnswer> {
    const { url, state, secretHeaders } = question
    const key = JSON.stringify([url, state?.etag, state?.lastModified, secretHeaders])
    const one = this.#kept.get(key) ?? { asked: http.ask(question), bytes: 0 }
    this.#kept.delete(key)
    this.#kept.set(key, one)
    const answer = await one.asked
    one.bytes = answer.kind === 'ok' ? answer.body.length : 0
    this.#makeRoom()
    return answer
  }

  #makeRoom(): void {
    let total = 0
    for (const { bytes } of this.#kept.values()) total += bytes
    for (const [key, { bytes }] of this.#kept) {
      if (total <= mostBytes) return
      this.#kept.delete(key)
      total -= bytes
    }
  }
}

interface IndexRequest {
  names: string[]
  indexUrl: string
  context: CollectContext
}

/** Undefined if none of the charts exists. */
async function readReleases(
  body: Buffer,
  { names, indexUrl, context }: IndexRequest,
): Promise<FoundRelease[] | 'unreadable' | undefined> {
  const { cutIndex, isJson, parseIndex, parseJsonIndex } = await import('./read-index.ts')
  const { foundReleases } = await import('./index-releases.ts')
  const { createYamlParser } = await import('./yaml.ts')
  const yaml = createYamlParser()
  const wanted = new Set(names)
  const { since } = context
  const read = (parse: typeof cutIndex) => {
    const charts = [...parse(body, wanted, yaml)]
    if (charts.length === 0) return undefined
    return charts.flatMap(([chartName, entries]) =>
      foundReleases(entries, { chartName, indexUrl, now: context.now(), since, parse: yaml }),
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

/** Excludes a time that is only that of the sync. */
function lasting(release: FoundRelease): Partial<FoundRelease> {
  return release.isRough ? { ...release, publishedAt: 0 } : release
}

function toIndexUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  url.username = ''
  url.password = ''
  url.hash = ''
  if (!url.pathname.endsWith('/index.yaml')) url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/index.yaml`
  return url.href
}

function authorization({ credential }: Source): Record<string, string> {
  if (!credential) return {}
  const { username, secret } = credential
  if (username === undefined) return { authorization: `Bearer ${secret}` }
  return { authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}` }
}
