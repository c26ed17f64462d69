import {
  type BundledAdvisories,
  type BundledCatalog,
  type BundledHistory,
  type BundledReleases,
  bundledCatalog,
  type BundledProject as CatalogProject,
} from '../../src/catalog/bundled.ts'
import { newestStable } from '../../src/freshness/newest-release.ts'
import { formatTimestamp, parseTimestamp } from '../../src/util/time.ts'

/** A project with its releases in one list, as tests read and write them. */
export interface BundledProject extends CatalogProject {
  releases: BundledRelease[]
  history?: BundledHistory
  advisories?: BundledAdvisories
}

export interface BundledRelease {
  type: 'app' | 'helm' | 'pre'
  version: string
  chartName: string | null
  appVersion: string | null
  /** Unix seconds. */
  publishedAt: number
  url: string
}

let known: BundledProject[] | undefined

/** Every project of the bundled catalog. */
export function bundledProjects(): BundledProject[] {
  const { projects, releases, history, advisories } = bundledCatalog()
  known ??= projects.map((project) => ({
    ...project,
    releases: readReleases(project.repo_url, releases[project.slug] ?? {}),
    history: history[project.slug]!,
    advisories: advisories[project.slug]!,
  }))
  return known
}

function readReleases(repoUrl: string, { url, app = [], helm = {}, pre = [] }: BundledReleases): BundledRelease[] {
  const toAddress = (chart: string | null) =>
    chart === null ? (url?.app ?? `${repoUrl}/releases/tag/{version}`) : (url?.helm?.[chart] ?? `${repoUrl}/releases`)
  const read = (
    type: BundledRelease['type'],
    version: string,
    day: string,
    {
      chart = null,
      appVersion = null,
      own,
    }: { chart?: string | null; appVersion?: string | null; own?: string | null | undefined },
  ): BundledRelease => ({
    type,
    version,
    chartName: chart,
    appVersion,
    publishedAt: parseTimestamp(day)!,
    url: own ?? fill(toAddress(chart), version),
  })
  return [
    ...app.map(([version, day, own]) => read('app', version, day, { own })),
    ...Object.entries(helm).flatMap(([chart, rows]) =>
      rows.map(([version, day, appVersion, own]) => read('helm', version, day, { chart, appVersion, own })),
    ),
    ...pre.map(([version, day, chart, appVersion, own]) => read('pre', version, day, { chart, appVersion, own })),
  ]
}

const fill = (template: string, version: string) =>
  template
    .replaceAll('{version}', version)
    .replaceAll('{encoded}', encodeURIComponent(version))
    .replaceAll('{plain}', version.replace(/^v/, ''))

/** A catalog of some projects in the form of the bundled one. */
export function catalogFor(projects: BundledProject[]): BundledCatalog {
  const bySlug = <T>(read: (project: BundledProject) => T | undefined) =>
    Object.fromEntries(
      projects.flatMap((project) => {
        const value = read(project)
        return value === undefined ? [] : [[project.slug, value]]
      }),
    )
  return {
    projects: projects.map(({ releases: _, history: __, advisories: ___, ...project }) => project),
    releases: bySlug(({ releases }) => writeReleases(releases)),
    history: bySlug(({ history }) => history),
    advisories: bySlug(({ advisories }) => advisories),
    derived: bySlug(({ releases }) => {
      const newest = newestStable(releases.filter(({ type }) => type === 'app'))
      return newest && { latest: [newest.version, formatTimestamp(newest.publishedAt)] as [string, string] }
    }),
  }
}

function writeReleases(releases: BundledRelease[]): BundledReleases {
  const of = (wanted: BundledRelease['type']) => releases.filter(({ type }) => type === wanted)
  const helm = Map.groupBy(of('helm'), ({ chartName }) => chartName ?? '')
  const day = ({ publishedAt }: BundledRelease) => formatTimestamp(publishedAt)
  return {
    app: of('app').map((one) => [one.version, day(one), one.url]),
    helm: Object.fromEntries(
      [...helm].map(([chart, rows]) => [chart, rows.map((one) => [one.version, day(one), one.appVersion, one.url])]),
    ),
    pre: of('pre').map((one) => [one.version, day(one), one.chartName, one.appVersion, one.url]),
  }
}
