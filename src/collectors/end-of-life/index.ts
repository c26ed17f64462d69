import type { Collector } from '../collector.ts'
import { compareCursor, toFailure } from '../outcome.ts'
import { parseJson } from '../parse-json.ts'
import { shortHash } from '../short-hash.ts'
import { Product } from './schema.ts'

const types = ['application/json']
const maxBytes = 2 * 1024 * 1024

/** Release cycles from endoflife.date or a mirror, with their hash as the cursor. */
export function createEndOfLifeCollector(): Collector {
  return {
    async collect({ url }, state, { http }) {
      const answer = await http.ask({ url: url.replace(/[^/]+$/, 'api/v1/products/$&'), types, maxBytes, state })
      if (answer.kind !== 'ok') return toFailure(answer)
      const cycles = parseJson(answer.body, Product)
      return cycles
        ? compareCursor({ cycles, state: { ...answer.state, cursor: shortHash(cycles) } }, state)
        : { kind: 'unreachable', reason: `${new URL(url).host} answered with something else than release cycles` }
    },
  }
}
