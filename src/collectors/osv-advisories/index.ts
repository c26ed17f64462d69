import type { CollectContext, CollectOutcome, Collector, Source } from '../collector.ts'
import { toFailure } from '../outcome.ts'
import { parseJson } from '../parse-json.ts'
import { shortHash } from '../short-hash.ts'
import type { SourceState } from '../source-state.ts'
import { type OsvRecord, QueryAnswer } from './schema.ts'
import { type PackageName, toAdvisories } from './to-advisories.ts'

const types = ['application/json']
const maxBytes = 32 * 1024 * 1024
const maxPages = 50

/**
 * All advisories about a project's packages from OSV, with a hash of them and the packages' ETags as the cursor. If OSV
 * supports conditional requests, unchanged packages are not read again.
 */
export function createOsvCollector(): Collector {
  return {
    async collect(source, state, context) {
      const packages = source.packages ?? []
      if (packages.length === 0) return { kind: 'absent', reason: 'no package of the project is known' }
      const known = readCursor(state)
      const first = await askEach(packages, { source, context, tags: known.tags })
      if ('kind' in first) return first
      if (first.every(({ records }) => records === undefined)) return { kind: 'unchanged', state }
      // Advisories of all packages are saved together, so unchanged ones are needed too.
      const unread = first.filter(({ records }) => records === undefined).map(({ asked }) => asked)
      const rest = await askEach(unread, { source, context, tags: {} })
      if ('kind' in rest) return rest
      const read = [...first, ...rest].filter(({ records }) => records !== undefined)
      const records = new Map(read.flatMap((one) => one.records!.map((record) => [record.id, record])))
      const advisories = toAdvisories(source.slug, [...records.values()], packages)
      const hash = shortHash(advisories)
      const tags = Object.fromEntries(read.map(({ asked, tag }) => [toKey(asked), tag]))
      const next = { cursor: `${hash} ${JSON.stringify(tags)}` }
      return hash === known.hash
        ? { kind: 'unchanged', state: next }
        : { kind: 'changed', releases: [], catalogAdvisories: advisories, state: next }
    },
  }
}

interface Read {
  asked: PackageName
  /** Undefined if nothing changed. */
  records: OsvRecord[] | undefined
  tag: string | undefined
}

interface Asking {
  source: Source
  context: CollectContext
  tags: Partial<Record<string, string>>
}

async function askEach(packages: PackageName[], asking: Asking): Promise<Read[] | CollectOutcome> {
  const read: Read[] = []
  for (const asked of packages) {
    const answer = await ask(asked, asking)
    if ('kind' in answer) return answer
    read.push(answer)
  }
  return read
}

async function ask(asked: PackageName, { source, context, tags }: Asking): Promise<Read | CollectOutcome> {
  const url = `${source.url}/v1/query`
  const records: OsvRecord[] = []
  const etag = tags[toKey(asked)]
  let tag: string | undefined
  let token: string | undefined
  for (let page = 1; page <= maxPages; page++) {
    const body = JSON.stringify({ package: asked, ...(token && { page_token: token }) })
    const state = page === 1 && etag ? { state: { etag } } : {}
    const headers = { 'content-type': 'application/json' }
    const answer = await context.http.ask({ url, method: 'POST', body, headers, types, maxBytes, ...state })
    if (answer.kind === 'unchanged') return { asked, records: undefined, tag: etag }
    if (answer.kind !== 'ok') return toFailure(answer)
    const parsed = parseJson(answer.body, QueryAnswer)
    if (!parsed)
      return { kind: 'unreachable', reason: `${new URL(url).host} answered with something else than advisories` }
    records.push(...(parsed.vulns ?? []))
    if (page === 1) tag = answer.state.etag
    token = parsed.next_page_token || undefined
    if (token === undefined) return { asked, records, tag }
  }
  return { kind: 'unreachable', reason: `${new URL(url).host} has more pages of advisories than relt reads` }
}

const toKey = ({ ecosystem, name }: PackageName) => `${ecosystem} ${name}`

function readCursor({ cursor = '' }: SourceState): Pick<Asking, 'tags'> & { hash: string } {
  const cut = cursor.indexOf(' ')
  try {
    return { hash: cursor.slice(0, Math.max(0, cut)), tags: JSON.parse(cursor.slice(cut + 1)) ?? {} }
  } catch {
    return { hash: '', tags: {} }
  }
}
