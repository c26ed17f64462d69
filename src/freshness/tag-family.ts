import { remember } from '../util/remember.ts'
import { daySeconds } from '../util/time.ts'
import { familyName, lastPublished, mainFamily, newestLineBegan } from './newest-release.ts'
import type { DatedRelease, ReleaseList } from './releases.ts'
import { isCalendar, type Version } from './versions.ts'

/** Releases that a running version is compared with. */
export interface TagFamily {
  /** Newest first. Includes pre-releases only if a pre-release runs. */
  releases: DatedRelease[]
  /** Their first numbers, without duplicates. */
  firsts: string[]
  /** `line`: the version is a floating tag with fewer numbers than the releases. */
  mode: 'exact' | 'line'
  /** The project left the running version's numbering scheme: all these releases are newer, whatever their numbers. */
  schemeChanged: boolean
  /** 0 to 1: certainty that these releases' numbers are comparable with the running one. */
  sureness: number
}

const aliveDays = 365
const recentDays = 730
const families = new WeakMap<ReleaseList, Map<string, TagFamily | string>>()

/** The releases in the tag family of a running version, or why there are none. */
export function tagFamilyFor(list: ReleaseList, current: Version): TagFamily | string {
  const known = remember(families, list, () => new Map<string, TagFamily | string>())
  const year = isCalendar(current) ? current.segments[0] : undefined
  const stage = Math.min(2, current.prerelease.length)
  const key = [familyName(current), channelOf(current), current.segments.length, year, current.isDate, stage].join()
  return remember(known, key, () =>
    findFamily(stage > 0 ? list.all.filter(({ fault }) => !fault) : list.stable, current),
  )
}

function findFamily(releases: DatedRelease[], current: Version): TagFamily | string {
  if (releases.length === 0) return 'the catalog has only pre-releases of it'
  const alike = releases.filter(({ version }) => familyName(version) === familyName(current))
  if (alike.length === 0 && current.lead !== '') return `its releases have no tags like ${current.lead}-…`
  const channel = channelOf((alike[0] ?? releases[0])!.version)
  // Releases of a channel are separate: edge-18.9.3 is not a successor of 2.14.0.
  if (channel !== undefined && channelOf(current) !== channel) return `its releases are tagged ${channel}-…`
  const isKindred = alike.some(({ isStable }) => isStable)
  const counted = withSegments(isKindred ? alike : mainFamily(releases), current)
  if (typeof counted === 'string') return counted
  const { sureness, mode } = counted
  const scheme = ofSameScheme(counted.releases, current)
  if (typeof scheme === 'string') return scheme
  const firsts = [...new Set(scheme.releases.map(({ version }) => version.segments[0] ?? ''))]
  return { ...scheme, firsts, mode, sureness: sureness * (isKindred ? 1 : 0.95) * (scheme.schemeChanged ? 0.6 : 1) }
}

/** `edge-24.11.8` → `edge`. */
const channelOf = ({ prefix }: Version) => /^(canary|edge|nightly|weekly)-/.exec(prefix)?.[1]

/**
 * Versions with another number of segments are separate releases if both are frequent (Jenkins LTS and weekly); rare ones
 * belong to the others (`7.1` before `7.1.1`). A line with a stage is a pre-release of its first release if the stage has a
 * number (`1.26rc2`), else the state of its branch (`1.18-dev`).
 */
function withSegments(
  releases: DatedRelease[],
  current: Version,
): Pick<TagFamily, 'releases' | 'mode' | 'sureness'> | string {
  const count = current.segments.length
  const bySegments = Map.groupBy(releases, ({ version }) => version.segments.length)
  const kept = new Set(
    [...bySegments.keys()].filter((segments) => isKept(bySegments.get(segments) ?? [], segments, releases)),
  )
  if (kept.has(count)) {
    const isRare = (version: Version) =>
      !kept.has(version.segments.length) && isCalendar(version) === isCalendar(current)
    const own = releases.filter(({ version }) => version.segments.length === count || isRare(version))
    return { releases: own, mode: 'exact', sureness: 1 }
  }
  const longer = releases.filter(({ version }) => version.segments.length > count)
  if (longer.length * 2 < releases.length) return { releases, mode: 'exact', sureness: 0.8 }
  if (current.prerelease.length === 1) return 'it is built from a branch'
  const mode = current.prerelease.length === 0 ? 'line' : 'exact'
  return { releases: releases.filter(({ version }) => version.segments.length >= count), mode, sureness: 0.85 }
}

function isKept(same: DatedRelease[], segments: number, all: DatedRelease[]) {
  if (same.length * 2 > all.length) return true
  if (segments === 1) return false
  const last = lastPublished(all)
  const isAlive = lastPublished(same) >= last - aliveDays * daySeconds
  // A project may start release lines late, so only recent releases show their frequency.
  const isRecent = ({ publishedAt }: DatedRelease) => publishedAt >= last - recentDays * daySeconds
  return isAlive && same.length >= 4 && same.filter(isRecent).length >= all.filter(isRecent).length * 0.15
}

/** Years and plain numbers are not comparable: if a project uses both, the later scheme is newer. */
function ofSameScheme(
  releases: DatedRelease[],
  current: Version,
): Pick<TagFamily, 'releases' | 'schemeChanged'> | string {
  const own = releases.filter(({ version }) => isCalendar(version) === isCalendar(current))
  if (own.length === releases.length) return { releases: own, schemeChanged: false }
  const other = releases.filter(({ version }) => isCalendar(version) !== isCalendar(current))
  if (newestLineBegan(own) >= newestLineBegan(other)) return { releases: own, schemeChanged: false }
  if (own.length > 0) return { releases, schemeChanged: true }
  const areDates = current.isDate || other.some(({ version }) => version.isDate)
  const isOld =
    !isCalendar(current) || Number(current.segments[0]) < new Date(lastPublished(other) * 1000).getUTCFullYear()
  if (areDates || !isOld || current.segments.length === 1) return 'its releases are counted in another way'
  return { releases: other, schemeChanged: true }
}
