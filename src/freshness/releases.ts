import type { ReleaseFault } from '../contract/state-facts.ts'
import { remember } from '../util/remember.ts'
import { formatDay } from '../util/time.ts'
import type { KnownProject, KnownRelease } from './catalog-view.ts'
import type { FindFault } from './facts/release-faults.ts'
import { noStateFacts } from './facts/state-facts.ts'
import { lastPublished, mainFamily, newestFirst } from './newest-release.ts'
import { compileTagPattern } from './tag-pattern.ts'
import { parseVersion, type Version } from './versions.ts'

/** A release with a readable version. */
export interface DatedRelease {
  id: number
  version: Version
  isStable: boolean
  publishedAt: number
  hasSecurityFix: boolean
  severity: KnownRelease['severity']
  /** Why nobody should install the release. */
  fault?: ReleaseFault | undefined
}

/** The releases of one project, or of one of its charts, newest version first. */
export interface ReleaseList {
  /** All releases; faulty ones are only in this list, because nothing is compared with them. */
  all: DatedRelease[]
  stable: DatedRelease[]
  /** Newest stable release in the project's most frequent tag family. */
  newest: DatedRelease | undefined
  /** Unix seconds: every release since then is known. Infinity: some may be missing. */
  completeSince: number
  /** The last day on which they were read, `YYYY-MM-DD`: by default that of the last one; undefined without releases. */
  knownUntil: string | undefined
  /** The chart has the version numbers of its app: every release that states an app version states its own. */
  hasAppVersions?: true
}

/** Parses each project's releases once. */
export interface ReleaseBook {
  app(project: KnownProject): ReleaseList
  chart(project: KnownProject, chartName: string): ReleaseList
  tagPattern(project: KnownProject): RegExp | undefined
}

export function createReleaseBook(
  releasesFor: (projectId: number) => KnownRelease[],
  facts = noStateFacts,
): ReleaseBook {
  const patterns = new Map<number, RegExp | undefined>()
  const apps = new Map<number, ReleaseList>()
  const charts = new Map<string, ReleaseList>()
  const toPattern = ({ id, tagPattern }: KnownProject) => remember(patterns, id, () => compileTagPattern(tagPattern))
  return {
    tagPattern: toPattern,
    app: (project) =>
      remember(apps, project.id, () =>
        readReleases(releasesFor(project.id).filter(isOfApp), {
          completeSince: project.completeSince,
          knownUntil: project.knownUntil,
          tagPattern: toPattern(project),
          findFault: facts.faultsOfReleases(project.slug),
        }),
      ),
    chart: (project, name) =>
      remember(charts, `${project.id} ${name}`, () => {
        const own = releasesFor(project.id).filter((release) => isOfChart(release, name))
        const list = readReleases(own, {
          completeSince: project.chartsCompleteSince?.[name],
          knownUntil: project.chartsKnownUntil?.[name],
          findFault: facts.faultsOfChart(name),
        })
        return hasAppVersions(own) ? { ...list, hasAppVersions: true as const } : list
      }),
  }
}

function isOfApp({ type, chartName }: KnownRelease) {
  return type === 'app' || (type === 'pre' && chartName === null)
}

/** A chart release without a chart name may belong to any of the project's charts. */
function isOfChart({ type, chartName }: KnownRelease, name: string) {
  return chartName === null ? type === 'helm' : type !== 'app' && chartName === name
}

function hasAppVersions(releases: KnownRelease[]) {
  const stated = releases.filter(({ hasAppVersion }) => hasAppVersion !== undefined)
  return stated.length > 0 && stated.every(({ hasAppVersion }) => hasAppVersion)
}

interface ReadOptions {
  completeSince?: string | undefined
  knownUntil?: string | undefined
  tagPattern?: RegExp | undefined
  findFault?: FindFault | undefined
}

function readReleases(releases: KnownRelease[], { completeSince, knownUntil, tagPattern, findFault }: ReadOptions) {
  const read: DatedRelease[] = []
  for (const { id, version: text, type, publishedAt, hasSecurityFix, severity } of releases) {
    const version = parseVersion(text, tagPattern)
    if (!version) continue
    const isStable = type !== 'pre' && version.prerelease.length === 0
    const fault = findFault?.(text, version)
    read.push({ id, version, isStable, publishedAt, hasSecurityFix, severity, ...(fault && { fault }) })
  }
  const since = completeSince === undefined ? Number.POSITIVE_INFINITY : Date.parse(completeSince) / 1000
  const last = lastPublished(read)
  const until = knownUntil ?? (last > 0 ? formatDay(last) : undefined)
  return toReleaseList(newestFirst(read), { completeSince: since, knownUntil: until })
}

/** Takes all releases, newest version first. */
export function toReleaseList(
  all: DatedRelease[],
  { completeSince, knownUntil }: Pick<ReleaseList, 'completeSince' | 'knownUntil'>,
): ReleaseList {
  const stable = all.filter((release) => release.isStable && !release.fault)
  return { all, stable, newest: mainFamily(stable)[0], completeSince, knownUntil }
}

/** The same list with additional faults. */
export function withFaults(list: ReleaseList, findFault: (release: DatedRelease) => ReleaseFault | undefined) {
  const all = list.all.map((release) => {
    const fault = release.fault ?? findFault(release)
    return fault === release.fault ? release : { ...release, fault }
  })
  return all.every((release, index) => release === list.all[index]) ? list : { ...list, ...toReleaseList(all, list) }
}
