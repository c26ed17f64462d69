import type { CollectContext, CollectOutcome, Collector, Source } from '../collector.ts'
import { toFailure } from '../outcome.ts'
import { parseJson } from '../parse-json.ts'
import { shortHash } from '../short-hash.ts'
import type { SourceState } from '../source-state.ts'
import { OlderProduct, Product } from './schema.ts'

const types = ['application/json']
const maxBytes = 2 * 1024 * 1024

const interfaces = {
  v1: { path: (product: string) => `/api/v1/products/${product}`, shape: Product },
  v0: { path: (product: string) => `/api/${product}.json`, shape: OlderProduct },
}
type Version = keyof typeof interfaces

/**
 * Release cycles from endoflife.date, or a mirror, which may only have its older API. The cursor is the API that answered,
 * and a hash of the answer.
 */
export function createEndOfLifeCollector(): Collector {
  return {
    async collect(source: Source, state: SourceState, context: CollectContext): Promise<CollectOutcome> {
      const order: Version[] = state.cursor?.startsWith('v0 ') ? ['v0', 'v1'] : ['v1', 'v0']
      const first = await ask(order[0]!, source, { state, context })
      return first.kind === 'absent' ? ask(order[1]!, source, { state: {}, context }) : first
    },
  }
}

async function ask(
  version: Version,
  { url }: Source,
  { state, context }: { state: SourceState; context: CollectContext },
): Promise<CollectOutcome> {
  const { path, shape } = interfaces[version]
  const page = new URL(url)
  const cut = page.pathname.lastIndexOf('/')
  const asked = `${page.origin}${page.pathname.slice(0, cut)}${path(page.pathname.slice(cut + 1))}`
  const answer = await context.http.ask({ url: asked, types, maxBytes, state })
  if (answer.kind === 'unchanged') return { kind: 'unchanged', state }
  if (answer.kind !== 'ok') return toFailure(answer)
  const cycles = parseJson(answer.body, shape)
  if (!cycles) return { kind: 'unreachable', reason: `${page.host} answered with something else than release cycles` }
  const cursor = `${version} ${shortHash(cycles)}`
  const next = { ...answer.state, cursor }
  // A regenerated page may differ without changed cycles.
  return cursor === state.cursor
    ? { kind: 'unchanged', state: next }
    : { kind: 'changed', releases: [], cycles, state: next }
}
