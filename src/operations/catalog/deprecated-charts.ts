import type { FoundRelease } from '../../catalog/found-release.ts'
import type { ProjectFact } from '../../contract/state-facts.ts'
import type { Db } from '../../db/open.ts'
import { compareStages, parseVersion } from '../../freshness/versions.ts'
import type { TrackedProject } from '../../store/catalog/source.ts'
import { findStateFacts, saveStateFacts } from '../../store/facts/state-fact.ts'
import { formatDay } from '../../util/time.ts'

const place = { source: 'helm', kind: 'project' } as const

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
  const known = await findStateFacts(trx, place.source, place.kind)
  const before = (known?.facts ?? []) as ProjectFact[]
  const kept = before.filter(({ slug, chart }) => slug !== project.slug || !charts.has(chart!))
  const found = [...charts].flatMap(([chart, own]) => toFact(project, chart, own) ?? [])
  const facts = [...kept, ...found].sort((a, b) => (toKey(a) < toKey(b) ? -1 : 1))
  if (JSON.stringify(facts) === JSON.stringify(before)) return
  await saveStateFacts(trx, { ...place, facts, asOf: null, answeredAt: now, state: {} })
}

const toKey = ({ slug, chart }: ProjectFact) => `${slug} ${chart}`

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
