import { daySeconds } from '../util/time.ts'
import { type CycleOf, withoutCycles } from './cycle-of.ts'
import {
  areAllKnown,
  isInLine,
  isLaterScheme,
  isNewer,
  lineLength,
  newerReleases,
  newestOfLines,
  onlyStable,
} from './newer-releases.ts'
import type { DatedRelease, ReleaseList } from './releases.ts'
import { type TagFamily, tagFamilyFor } from './tag-family.ts'
import { aheadOfCatalog, distance, unknownVerdict, type VersionVerdict, written, writtenLine } from './verdict.ts'
import { compareNumbers, compareStages, parseVersion, type Version } from './versions.ts'

/** Rates a running version against the newest stable release in its tag family. */
export function judge(list: ReleaseList, current: Version, cycleFor = withoutCycles): VersionVerdict {
  const family = tagFamilyFor(list, current)
  const { completeSince } = list
  if (typeof family === 'string') return unknownVerdict(family)
  return family.mode === 'line'
    ? judgeLine(family, current, completeSince)
    : judgeVersion(family, current, { cycleFor, completeSince })
}

function judgeVersion(
  family: TagFamily,
  current: Version,
  { cycleFor, completeSince }: { cycleFor: CycleOf; completeSince: number },
): VersionVerdict {
  const { releases, schemeChanged, sureness } = family
  const newer = newerReleases(releases, (release) => isNewer(release, current))
  const next = releases[newer.length]
  const running = next && compareStages(next.version, current) === 0 ? next : undefined
  const stable = onlyStable(newer, current)
  // A pre-release of a published release is compared with that release.
  const newest = stable[0] ?? (releases[0] as DatedRelease)
  const own = stable.length > 0 ? cycleFor(current) : undefined
  const known = newestOfLine(stable, current, newest.version)
  const lastOfLine = lastOfCycle(own?.latest, { current, known, newest })
  const latest = written(newest.version, current)
  const verdict = {
    mode: 'exact' as const,
    isAhead: false,
    confidence: sureness,
    latest,
    releasesBehind: stable.length,
    isAtLeast: stable.length > 0 && !areAllKnown(stable, next, completeSince),
    daysBehind: running ? Math.max(0, Math.round((newest.publishedAt - running.publishedAt) / daySeconds)) : null,
    newer: stable,
    family,
    lastOfLine,
  }
  if (newer.length > 0) {
    const changed = schemeChanged ? ', which came after the version scheme changed' : ''
    const last = lastOfLine
      ? `; endoflife.date names ${lastOfLine.version.text} as the last of ${own!.cycle}, which the catalog lacks`
      : ''
    return { ...verdict, status: distance(newest, current), evidence: `${current.text} < ${latest}${changed}${last}` }
  }
  if (running) return { ...verdict, status: 'up_to_date', evidence: `${current.text} is the newest release` }
  return { ...verdict, ...aheadOfCatalog(sureness, current.text, latest) }
}

/** The releases of a line are adjacent, next to the running version. */
function newestOfLine(newer: DatedRelease[], current: Version, newest: Version) {
  const length = lineLength(current, newest)
  if (length < 1) return undefined
  return newer[newer.findLastIndex(({ version }) => !isInLine(version, current, length)) + 1]
}

/** Undefined unless it is in the running line, and newer than all known releases of that line. */
function lastOfCycle(
  latest: string | undefined,
  { current, known, newest }: { current: Version; known: DatedRelease | undefined; newest: DatedRelease },
): DatedRelease | undefined {
  const version = latest === undefined ? undefined : parseVersion(latest)
  if (!version || version.prerelease.length > 0) return undefined
  const length = lineLength(current, newest.version)
  if (length < 1 || !isInLine(version, current, length)) return undefined
  if (!isNewer(version, known?.version ?? current) || !isNewer(newest.version, version)) return undefined
  return { id: 0, version, isStable: true, publishedAt: 0, hasSecurityFix: false, severity: 'none' }
}

/** A tag such as `7` or `3.19` means the newest release with that prefix, so it is compared as a line. */
function judgeLine(family: TagFamily, current: Version, completeSince: number): VersionVerdict {
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
    releasesBehind: newestOfLines(stable, length).length,
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
function isKnownLine(firsts: string[], { prefix, segments: [first = ''] }: Version) {
  if (firsts.includes(first)) return true
  if (!/^[1-9]\d{0,2}$/.test(first)) return false
  const isBelow = (known: string) => compareNumbers([first], [known]) < 0
  return prefix === 'v' ? firsts.some(isBelow) : firsts.every(isBelow)
}
