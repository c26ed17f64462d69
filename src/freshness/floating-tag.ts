import { areAllKnown, isInLine, isLaterScheme, newerReleases, onlyStable } from './newer-releases.ts'
import type { DatedRelease } from './releases.ts'
import type { TagFamily } from './tag-family.ts'
import { aheadOfCatalog, distance, unknownVerdict, type VersionVerdict, writtenLine } from './verdict.ts'
import { compareNumbers, type Version } from './versions.ts'

/** A tag such as `7` or `3.19` means the newest release with that prefix, so it is compared as a line. */
export function judgeLine(family: TagFamily, current: Version, completeSince: number): VersionVerdict {
  const { releases, firsts, sureness } = family
  const length = current.segments.length
  if (length === 1 && !isKnownLine(firsts, current)) {
    return unknownVerdict(`no release begins with ${current.core}, so it may be a build number`)
  }
  const newest = releases[0] as DatedRelease
  const order = (release: Version) => compareNumbers(release.segments.slice(0, length), current.segments)
  const newer = newerReleases(releases, (release) => isLaterScheme(release, current) || order(release) > 0)
  const stable = onlyStable(newer, current)
  const latest = writtenLine(newest.version, current)
  const next = releases[newer.length]
  const verdict = {
    mode: 'line' as const,
    isAhead: false,
    confidence: sureness,
    latest,
    releasesBehind: countLines(stable, length),
    isAtLeast: stable.length > 0 && !areAllKnown(stable, next, completeSince),
    daysBehind: null,
    newer: stable,
    family,
  }
  if (newer.length > 0) {
    return { ...verdict, status: distance(newest, current), evidence: `line ${current.text} < ${latest}` }
  }
  if (order(newest.version) === 0) {
    return { ...verdict, status: 'up_to_date', evidence: `line ${current.text} is the newest` }
  }
  return { ...verdict, ...aheadOfCatalog(sureness, `line ${current.text}`, latest) }
}

/**
 * A single number is a line only if the project uses it: a release starts with it, or all start with a higher one, since the
 * catalog may lack the first releases. With a `v` it is not a build number, even if the project skipped it.
 */
function isKnownLine(firsts: string[], { prefix, segments: [first = ''] }: Version): boolean {
  if (firsts.includes(first)) return true
  if (!/^[1-9]\d{0,2}$/.test(first)) return false
  const isBelow = (known: string) => compareNumbers([first], [known]) < 0
  return prefix === 'v' ? firsts.some(isBelow) : firsts.every(isBelow)
}

/** In a sorted list, the releases of a line are adjacent. */
function countLines(releases: DatedRelease[], length: number): number {
  return releases.filter(({ version }, index) => {
    const before = releases[index - 1]
    return before === undefined || !isInLine(version, before.version, length)
  }).length
}
