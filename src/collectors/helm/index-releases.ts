import type { FoundRelease } from '../../catalog/found-release.ts'
import { isWebAddress } from '../../contract/shape.ts'
import { parseVersion } from '../../freshness/versions.ts'
import { isTrue, readAnnotations } from './annotations.ts'
import type { Entry } from './read-index.ts'
import { IndexEntry } from './schema.ts'
import type { ParseYaml } from './yaml.ts'

interface ChartContext {
  chartName: string
  /** URL of the index, the base for relative URLs of archives. */
  indexUrl: string
  /** Unix seconds: the time for a version without one. */
  now: number
  since: number | undefined
  parse: ParseYaml
}

/** Limit of releases per chart and sync: the newest, or all since a day. */
const mostReleases = 200

/** Throws for an unreadable entry; skips entries with other schemas. */
export function foundReleases(entries: readonly Entry[], where: ChartContext): FoundRelease[] {
  const { since } = where
  const times = entries.map((entry) => ({ entry, at: IndexEntry.shape.created.parse(entry('created')) }))
  // A stable sort keeps the index order if times are equal or missing: Helm writes the newest first.
  return times
    .filter(({ at }) => since === undefined || at === undefined || at >= since)
    .toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))
    .slice(0, since === undefined ? mostReleases : mostReleases * 10)
    .flatMap(({ entry }) => foundRelease(entry, where))
}

function foundRelease(field: Entry, { chartName, indexUrl, now, parse }: ChartContext): FoundRelease[] {
  const fields = Object.keys(IndexEntry.shape).map((name) => [name, field(name)])
  const parsed = IndexEntry.safeParse(Object.fromEntries(fields))
  if (!parsed.success) return []
  const { version, appVersion, kubeVersion, created, urls, deprecated, annotations } = parsed.data
  const { notes, security, isPrerelease } = readAnnotations(annotations ?? {}, parse)
  const archive = URL.parse(urls?.[0] ?? '', indexUrl)?.href ?? ''
  return [
    {
      type: isPrerelease || parseVersion(version)?.prerelease.length ? 'pre' : 'helm',
      chartName,
      version,
      appVersion: appVersion || null,
      ...(kubeVersion && { kubeVersion }),
      publishedAt: created ?? now,
      url: urls?.[0] && isWebAddress(archive) ? archive : '',
      notes: `${isTrue(deprecated) ? '<p>This chart is deprecated.</p>' : ''}${notes}`,
      security,
      ...(created === undefined && { isRough: true }),
      ...(isTrue(deprecated) && { isDeprecated: true }),
    },
  ]
}
