import type { DatedRelease } from './releases.ts'
import { compareNumbers, compareStages, isCalendar, type Version } from './versions.ts'

/** The releases in a sorted list that are newer than the running one, by binary search. */
export function newerReleases(releases: DatedRelease[], isNewer: (release: Version) => boolean) {
  let [low, high] = [0, releases.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isNewer((releases[middle] as DatedRelease).version)) low = middle + 1
    else high = middle
  }
  return releases.slice(0, low)
}

/** Rebuild numbers count only if both versions have one. */
export function isNewer(release: Version, current: Version) {
  if (isLaterScheme(release, current)) return true
  const order = compareStages(release, current)
  if (order !== 0) return order > 0
  const bothRebuilt = release.revision.length > 0 && current.revision.length > 0
  return bothRebuilt && release.variant === current.variant && compareNumbers(release.revision, current.revision) > 0
}

/** Another numbering scheme than the running one is in a tag family only if it came later. */
export function isLaterScheme(release: Version, current: Version) {
  return isCalendar(release) !== isCalendar(current)
}

/** Stable versions are already compared with stable ones only. */
export function onlyStable(releases: DatedRelease[], current: Version) {
  return current.prerelease.length === 0 ? releases : releases.filter(({ isStable }) => isStable)
}

/**
 * Whether the history is complete from `next` (the running release or the newest before it) to the newest, whatever the
 * order of publication.
 */
export function areAllKnown(newer: DatedRelease[], next: DatedRelease | undefined, completeSince: number) {
  if (!next || next.publishedAt < completeSince) return false
  return newer.every(({ publishedAt }) => publishedAt >= completeSince)
}

/** Whether the first `length` numbers are equal. */
export function isInLine(version: Version, line: Version, length: number) {
  for (let index = 0; index < length; index++) {
    if ((version.segments[index] ?? '0') !== (line.segments[index] ?? '0')) return false
  }
  return true
}

/** The first release of each line with these first numbers; the releases of a line are adjacent in a sorted list. */
export function newestOfLines(releases: DatedRelease[], length: number) {
  return releases.filter(({ version }, index) => {
    const before = releases[index - 1]
    return before === undefined || !isInLine(version, before.version, length)
  })
}

/** How many numbers identify a line: two, or one if versions have only two; 0 if there are no lines. */
export function lineLength(current: Version, newest: Version) {
  return Math.max(0, Math.min(2, Math.min(current.segments.length, newest.segments.length) - 1))
}
