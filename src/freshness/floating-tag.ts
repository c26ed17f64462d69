import { type HistoryFacts, ltsStep } from './lts.ts'
import { areAllKnown, isInLine, isLaterScheme, newerReleases, onlyStable } from './newer-releases.ts'
import type { DatedRelease } from './releases.ts'
import type { TagFamily } from './tag-family.ts'
import { aheadOfCatalog, distance, unknownVerdict, type VersionVerdict } from './verdict.ts'
import { compareNumbers, type Version } from './versions.ts'

/** A tag such as `7` or `3.19` means the newest release with that prefix, so it is compared as a line. */
export function judgeLine(
  { releases, firsts, sureness }: TagFamily,
  current: Version,
  { cycleOf, completeSince }: HistoryFacts,
): VersionVerdict {
  const length = current.segments.length
  if (length === 1 && !isKnownLine(firsts, current)) {
    return unknownVerdict(`no release begins with ${current.core}, so it may be a build number`)
  }
  const newest = releases[0] as DatedRelease
  const order = (release: Version) => compareNumbers(release.segments.slice(0, length), current.segments)
  const newer = newerReleases(releases, (release) => isLaterScheme(release, current) || order(release) > 0)
  const stable = onlyStable(newer, current)
  const writtenLine = ({ version }: DatedRelease) => current.prefix + lineOf(version, length)
  const latest = writtenLine(newest)
  const own = stable.length > 0 ? cycleOf(current) : undefined
  const lts = own?.is_lts ? ltsStep(stable, own, cycleOf) : undefined
  const step = lts?.release && writtenLine(lts.release)
  const next = releases[newer.length]
  const verdict = {
    mode: 'line' as const,
    isAhead: false,
    confidence: sureness,
    latest,
    sameLine: null,
    step: step && step !== latest ? step : null,
    lts: lts?.lts ?? null,
    releasesBehind: countLines(stable, length),
    isAtLeast: stable.length > 0 && !areAllKnown(stable, next, completeSince),
    daysBehind: null,
    newer: stable,
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
 * One number alone is a line only when the project counts so: a release begins with it, or all begin with a higher one,
 * since the catalog may lack the first releases. With a `v` it is no build number, even if the project skipped it.
 */
function isKnownLine(firsts: string[], { prefix, segments: [first = ''] }: Version): boolean {
  if (firsts.includes(first)) return true
  if (!/^[1-9]\d{0,2}$/.test(first)) return false
  const isBelow = (known: string) => compareNumbers([first], [known]) < 0
  return prefix === 'v' ? firsts.some(isBelow) : firsts.every(isBelow)
}

/** The beginning of a version as it is written: `4.09` keeps its zero. */
function lineOf({ core, segments, isDate }: Version, length: number): string {
  return (isDate ? segments : core.split('.')).slice(0, length).join('.')
}

/** In a sorted list, the releases of a line are adjacent. */
function countLines(releases: DatedRelease[], length: number): number {
  return releases.filter(({ version }, index) => {
    const before = releases[index - 1]
    return before === undefined || !isInLine(version, before.version, length)
  }).length
}
