import type { FoundRelease } from '../../catalog/found-release.ts'
import type { ProjectFact } from '../../contract/state-facts.ts'
import type { Db } from '../../db/open.ts'
import { compareStages, parseVersion } from '../../freshness/versions.ts'
import type { TrackedProject } from '../../store/catalog/source.ts'
import { formatDay } from '../../util/time.ts'
import { saveProjectFacts } from './project-facts.ts'

/** Marks charts as deprecated if their newest version is. Charts without a release in this list do not change. */
export async function saveDeprecatedCharts(
  trx: Db,
  project: TrackedProject,
  { releases, now }: { releases: readonly FoundRelease[]; now: number },
) {
  const charts = Map.groupBy(
    releases.filter(({ type }) => type === 'helm'),
    ({ chartName }) => chartName,
  )
  await saveProjectFacts(trx, {
    source: 'helm',
    found: [...charts].flatMap(([chart, own]) => toFact(project, chart, own) ?? []),
    isKept: ({ slug, chart }) => slug !== project.slug || !charts.has(chart!),
    now,
    savedSince: 0,
  })
}

function toFact(
  { slug, name, helmChartRepo }: TrackedProject,
  chart: string,
  releases: readonly FoundRelease[],
): ProjectFact | undefined {
  const versions = releases
    .flatMap((release) => {
      const version = parseVersion(release.version)
      return version ? [{ release, version }] : []
    })
    .sort((a, b) => compareStages(b.version, a.version))
  const living = versions.findIndex(({ release }) => !release.isDeprecated)
  const first = (living < 0 ? versions : versions.slice(0, living)).at(-1)?.release
  if (!first) return undefined
  return {
    slug,
    name,
    chart,
    state: 'retired',
    ...(!first.isRough && { since: formatDay(first.publishedAt) }),
    what: `The chart ${chart} is deprecated, by its own newest version.`,
    source: helmChartRepo ?? '',
  }
}
