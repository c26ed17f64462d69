import type { FoundRelease } from '../../catalog/found-release.ts'
import { isWebAddress } from '../../contract/shape.ts'
import { chartRelease } from './chart-release.ts'
import { cutIndex, type Entry, isJson, parseIndex, parseJsonIndex } from './read-index.ts'
import { IndexEntry } from './schema.ts'
import { createYamlParser } from './yaml.ts'

interface IndexContext {
  /** URL of the index, the base for relative URLs of archives. */
  indexUrl: string
  /** Unix seconds: the time for a version without one. */
  now: number
  since: number | undefined
}

/** Undefined if none of the charts exists. */
export function readReleases(body: Buffer, names: string[], context: IndexContext) {
  const yaml = createYamlParser()
  const read = (parse: typeof cutIndex) => {
    const charts = [...parse(body, new Set(names), yaml)]
    if (charts.length === 0) return undefined
    return charts.flatMap(([chartName, entries]) => foundReleases(entries, { ...context, chartName, parse: yaml }))
  }
  try {
    return read(isJson(body) ? parseJsonIndex : cutIndex)
  } catch {
    try {
      return read(parseIndex)
    } catch {
      return 'unreadable'
    }
  }
}

/** Limit of releases per chart and sync: the newest, or all since a day. */
const mostReleases = 200

/** Throws for an unreadable entry; skips entries with other schemas. */
function foundReleases(
  entries: readonly Entry[],
  { indexUrl, since, ...chart }: IndexContext & Omit<Parameters<typeof chartRelease>[1], 'url'>,
): FoundRelease[] {
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
