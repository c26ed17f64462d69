import type { FoundRelease } from '../../catalog/found-release.ts'
import { isWebAddress } from '../../contract/shape.ts'
import { chartRelease } from './chart-release.ts'
import type { Entry } from './read-index.ts'
import { IndexEntry } from './schema.ts'
import type { ParseYaml } from './yaml.ts'

interface IndexContext {
  chartName: string
  /** URL of the index, the base for relative URLs of archives. */
  indexUrl: string
  now: number
  since: number | undefined
  parse: ParseYaml
}

/** Limit of releases per chart and sync: the newest, or all since a day. */
const mostReleases = 200

/** Throws for an unreadable entry; skips entries with other schemas. */
export function foundReleases(entries: readonly Entry[], { indexUrl, since, ...chart }: IndexContext): FoundRelease[] {
  const times = entries.map((entry) => ({ entry, at: IndexEntry.shape.created.parse(entry('created')) }))
  // A stable sort keeps the index order if times are equal or missing: Helm writes the newest first.
  return times
    .filter(({ at }) => since === undefined || at === undefined || at >= since)
    .toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))
    .slice(0, since === undefined ? mostReleases : mostReleases * 10)
    .flatMap(({ entry: field }) => {
      const fields = Object.keys(IndexEntry.shape).map((name) => [name, field(name)])
      const entry = IndexEntry.safeParse(Object.fromEntries(fields)).data
      if (!entry) return []
      const [first] = entry.urls ?? []
      const archive = first && URL.parse(first, indexUrl)?.href
      return [chartRelease(entry, { ...chart, url: archive && isWebAddress(archive) ? archive : '' })]
    })
}
