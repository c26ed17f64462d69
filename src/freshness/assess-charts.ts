import type { Artifacts, ChartArtifact, WantedArtifact } from '../reports/artifact.ts'
import { isOfBranch } from '../util/exact-version.ts'
import { assess } from './assess.ts'
import type { AssessedImage } from './assess-images.ts'
import type { AssessedItem } from './assessed.ts'
import type { Match } from './match.ts'
import { matchChart } from './match-chart.ts'
import { PerCatalog } from './per-catalog.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import { parseVersion } from './versions.ts'

export interface AssessedChart extends AssessedItem {
  artifacts: ChartArtifact[]
}

/** One for each chart name and version. */
export function assessCharts(
  { charts, wanted }: Artifacts,
  images: AssessedImage[],
  known: CatalogFacts,
): AssessedChart[] {
  const wantedFrom = repositoriesByRelease(wanted ?? [])
  const installed = imagesByRelease(charts.length > 0 ? images : [])
  return [...Map.groupBy(charts, ({ name, version }) => `${name}@${version}`)].map(([key, artifacts]) => {
    const [first] = artifacts as [ChartArtifact]
    const repositories = artifacts.flatMap(
      (one) => wantedFrom.get(releaseKey(one.name, one.release, one.namespace)) ?? [],
    )
    const match = matchChart({ ...first, repositories, ...toSurroundings(artifacts, installed) }, known)
    const appVersion = artifacts.find((one) => one.appVersion)?.appVersion
    const chart = { ...first, appVersion, key, match }
    const verdict = assessed.find(known, `${match.project?.id} ${key} ${appVersion}`, () => assessChart(chart, known))
    return { ...verdict, match, places: artifacts, artifacts }
  })
}

const assessed = new PerCatalog<AssessedItem>()

/** The verdict on a chart, independent of where it is installed. */
function assessChart(
  { key, name, version, appVersion, match }: ChartArtifact & { key: string; match: Match },
  known: CatalogFacts,
): AssessedItem {
  const { project } = match
  const list = project && known.book.chart(project, name)
  const subject = {
    type: 'helm_chart' as const,
    key,
    name: `${name} ${version}`,
    shortName: name,
    source: 'artifacts' as const,
    places: [],
    match,
    chart: name,
    currentVersion: version,
    current: isOfBranch(version) ? undefined : parseVersion(version),
    unreadable: isOfBranch(version) ? `${version} is the build of a branch` : `${version} is not a version`,
    releases: list && { of: `the chart ${name}`, list },
    // Without known releases, a chart is judged by its app.
    ...(project &&
      appVersion !== undefined &&
      list?.all.length === 0 && {
        upstreamVersion: appVersion,
        current: parseVersion(appVersion, known.book.tagPattern(project)),
        unreadable: `${appVersion} is not a version`,
        releases: { of: project.name, list: known.book.app(project) },
      }),
  }
  // Copied to a plain object, because it is copied again for each place, which is slow with a lazy property for steps.
  return { ...assess(subject, known) }
}

/** Grouped by chart and Helm release in a namespace; reports contain one or both. */
function imagesByRelease(images: AssessedImage[]) {
  const found = new Map<string, Set<AssessedImage>>()
  for (const image of images) {
    for (const { helmChart, helmRelease, namespace } of image.artifacts) {
      for (const key of [`chart ${helmChart} ${namespace}`, `release ${helmRelease} ${namespace}`]) {
        found.set(key, (found.get(key) ?? new Set()).add(image))
      }
    }
  }
  return found
}

/** Key of a chart's release in a namespace. */
export const releaseKey = (chart: string | null, release: string | null, namespace: string | null) =>
  JSON.stringify([chart, release, namespace])

/** Chart repositories in Argo CD, Flux or k3s objects, by release. */
function repositoriesByRelease(wanted: WantedArtifact[]) {
  const byRelease = Map.groupBy(wanted, (one) => releaseKey(one.chart, one.release, one.releaseNamespace))
  return new Map([...byRelease].map(([key, all]) => [key, all.flatMap(({ repository }) => repository ?? [])]))
}

function toSurroundings(artifacts: ChartArtifact[], installed: Map<string, Set<AssessedImage>>) {
  const images = artifacts.flatMap(({ name, version, release, namespace }) => {
    const installers = release === null ? [`chart ${name}`, `chart ${name}-${version}`] : [`release ${release}`]
    return installers.flatMap((installer) => [...(installed.get(`${installer} ${namespace}`) ?? [])])
  })
  return {
    places: artifacts.flatMap(({ release, namespace }) => [release ?? '', namespace ?? '']),
    images: images.map(({ match, repository }) => ({ project: match.project, repository })),
  }
}
