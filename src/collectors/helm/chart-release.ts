import type { FoundRelease } from '../../catalog/found-release.ts'
import { parseVersion } from '../../freshness/versions.ts'
import { readAnnotations } from './annotations.ts'
import type { IndexEntry } from './schema.ts'
import type { ParseYaml } from './yaml.ts'

interface ChartContext {
  chartName: string
  url: string
  /** Unix seconds: the time for a version without one. */
  now: number
  parse: ParseYaml
}

/** The release of a chart as its `Chart.yaml` states it. */
export function chartRelease(
  { version, appVersion, kubeVersion, created, deprecated, annotations = {} }: IndexEntry,
  { chartName, url, now, parse }: ChartContext,
): FoundRelease {
  const { notes, security, isPrerelease } = readAnnotations(annotations, parse)
  const isDeprecated = deprecated?.toLowerCase() === 'true'
  return {
    type: isPrerelease || parseVersion(version)?.prerelease.length ? 'pre' : 'helm',
    chartName,
    version,
    appVersion: appVersion || null,
    ...(kubeVersion && { kubeVersion }),
    ...publishedAt(created, now),
    url,
    notes: `${isDeprecated ? '<p>This chart is deprecated.</p>' : ''}${notes}`,
    security,
    ...(isDeprecated && { isDeprecated }),
  }
}

export function publishedAt(created: number | undefined, now: number): Pick<FoundRelease, 'publishedAt' | 'isRough'> {
  return created === undefined ? { publishedAt: now, isRough: true } : { publishedAt: created }
}
