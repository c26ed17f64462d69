import type { Collector } from '../collector.ts'
import { compareCursor, toFailure } from '../outcome.ts'
import { parseJson } from '../parse-json.ts'
import { shortHash } from '../short-hash.ts'
import { type OsvRecord, QueryAnswer } from './schema.ts'
import { toAdvisories } from './to-advisories.ts'

const types = ['application/json']
const headers = { 'content-type': 'application/json' }
const maxBytes = 32 * 1024 * 1024
const maxPages = 50

/** All advisories about a project's packages from OSV, with their hash as the cursor. */
export function createOsvCollector(): Collector {
  return {
    async collect({ url, slug, packages = [] }, state, { http }) {
      if (packages.length === 0) return { kind: 'absent', reason: 'no package of the project is known' }
      const unreachable = (what: string) => ({ kind: 'unreachable', reason: `${new URL(url).host} ${what}` }) as const
      const records = new Map<string, OsvRecord>()
      for (const asked of packages) {
        let token: string | undefined
        let pages = 0
        do {
          if (pages++ === maxPages) return unreachable('has more pages of advisories than relt reads')
          const body = JSON.stringify({ package: asked, page_token: token })
          const answer = await http.ask({ url: `${url}/v1/query`, method: 'POST', body, headers, types, maxBytes })
          if (answer.kind !== 'ok') return toFailure(answer)
          const page = parseJson(answer.body, QueryAnswer)
          if (!page) return unreachable('answered with something else than advisories')
          for (const record of page.vulns ?? []) records.set(record.id, record)
          token = page.next_page_token || undefined
        } while (token !== undefined)
      }
      const catalogAdvisories = toAdvisories(slug, [...records.values()], packages)
      return compareCursor({ catalogAdvisories, state: { cursor: shortHash(catalogAdvisories) } }, state)
    },
  }
}
