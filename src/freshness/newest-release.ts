import type { KnownRelease } from './catalog-view.ts'
import { compareNumbers, compareVersions, isCalendar, parseVersion, type Version } from './versions.ts'

/**
 * The newest stable release by version rather than date: of apps, else of charts. If no version is readable, the last
 * published one. Undefined if there are only pre-releases.
 */
export function newestStable<T extends Pick<KnownRelease, 'version' | 'type' | 'publishedAt'>>(releases: readonly T[]) {
  for (const type of ['app', 'helm']) {
    const ofType = releases.filter((release) => release.type === type)
    const readable = ofType.flatMap((source) => {
      const version = parseVersion(source.version)
      return version && version.prerelease.length === 0 ? [{ source, version, publishedAt: source.publishedAt }] : []
    })
    const [newest] = newestFirst(mainFamily(readable))
    if (newest) return newest.source
    if (ofType.length > 0) return ofType.reduce((last, next) => (next.publishedAt > last.publishedAt ? next : last))
  }
  return undefined
}

interface DatedVersion {
  version: Version
  publishedAt: number
}

/**
 * Newest version first. Calendar versions and plain ones are not comparable (10.11.4 came after 2021.12.16): the publication
 * days decide which scheme is newer, for the whole list.
 */
export function newestFirst<T extends DatedVersion>(releases: readonly T[]) {
  const calendar = releases.filter(({ version }) => isCalendar(version))
  if (calendar.length === 0 || calendar.length === releases.length) return releases.toSorted(byVersion)
  const plain = releases.filter(({ version }) => !isCalendar(version))
  const calendarFirst = newestLineBegan(calendar) > newestLineBegan(plain)
  return releases.toSorted((a, b) => {
    const isCalendarA = isCalendar(a.version)
    if (isCalendarA !== isCalendar(b.version)) return isCalendarA === calendarFirst ? -1 : 1
    return byVersion(a, b)
  })
}

function byVersion(a: DatedVersion, b: DatedVersion) {
  return compareVersions(b.version, a.version) || b.publishedAt - a.publishedAt
}

/** Time of the first release in the newest line (same first two numbers), so that later backports do not count. */
export function newestLineBegan(releases: readonly DatedVersion[]) {
  const formatLine = ({ version }: DatedVersion) => version.segments.slice(0, 2)
  const newest = releases.reduce<DatedVersion | undefined>(
    (top, next) => (top && compareVersions(next.version, top.version) <= 0 ? top : next),
    undefined,
  )
  if (!newest) return Number.NEGATIVE_INFINITY
  const line = releases.filter((release) => compareNumbers(formatLine(release), formatLine(newest)) === 0)
  return Math.min(...line.map(({ publishedAt }) => publishedAt))
}

const plainFamily = ' '

/** Family of a tag: `edge-26.8.3` and `api/v1.14.0` are separate families. */
export function familyName({ lead, variant }: Version) {
  return lead === '' && variant === '' ? plainFamily : `${lead} ${variant}`
}

/** The releases of the most frequent family; if several are equally frequent, the first by name, which is the plain one. */
export function mainFamily<T extends DatedVersion>(releases: readonly T[]) {
  const families = [...Map.groupBy(releases, ({ version }) => familyName(version))]
  const [main] = families.sort(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1))
  return main?.[1] ?? []
}

export function lastPublished(releases: readonly DatedVersion[]) {
  return releases.reduce((last, { publishedAt }) => Math.max(last, publishedAt), Number.NEGATIVE_INFINITY)
}
