import type { Eol } from '../contract/freshness.ts'
import { judgeLine } from './floating-tag.ts'
import { type CycleOf, type HistoryFacts, ltsStep, withoutCycles } from './lts.ts'
import { areAllKnown, isInLine, isNewer, lineLength, newerReleases, onlyStable } from './newer-releases.ts'
import type { DatedRelease, ReleaseList } from './releases.ts'
import { type TagFamily, tagFamilyOf } from './tag-family.ts'
import { aheadOfCatalog, distance, unknownVerdict, type VersionVerdict, written } from './verdict.ts'
import { compareStages, parseVersion, type Version } from './versions.ts'

/** A running version against the newest stable release of its tag family. */
export function judge(list: ReleaseList, current: Version, cycleOf: CycleOf = withoutCycles): VersionVerdict {
  const family = tagFamilyOf(list, current)
  const { completeSince } = list
  if (typeof family === 'string') return unknownVerdict(family)
  return family.mode === 'line'
    ? judgeLine(family, current, { cycleOf, completeSince })
    : judgeVersion(family, current, { cycleOf, completeSince })
}

function judgeVersion(family: TagFamily, current: Version, { cycleOf, completeSince }: HistoryFacts): VersionVerdict {
  const { releases, schemeChanged, sureness } = family
  const newer = newerReleases(releases, (release) => isNewer(release, current))
  const next = releases[newer.length]
  const running = next && compareStages(next.version, current) === 0 ? next : undefined
  const stable = onlyStable(newer, current)
  // A pre-release of a published release is measured against that release.
  const newest = stable[0] ?? (releases[0] as DatedRelease)
  const own = stable.length > 0 ? cycleOf(current) : undefined
  const known = newestOfLine(stable, current, newest.version)
  const lastOfLine = lastOfCycle(own?.latest, { current, known, newest })
  const ofLine = lastOfLine ?? known
  // A line may contain more than its LTS cycle: 20.10 is not part of 20.04.
  const sameLine = ofLine && own?.is_lts && cycleOf(ofLine.version)?.cycle !== own.cycle ? undefined : ofLine
  const inMajor = ({ version }: DatedRelease) => isInLine(version, current, 1)
  const lts = own?.is_lts ? ltsStep(stable, own, cycleOf) : undefined
  const near = sameLine ?? (isLeftForLts(own, stable, cycleOf) ? undefined : stable.find(inMajor))
  const step = lts ? lts.release : near && leadsIntoEnded(near, own, cycleOf) ? undefined : near
  const latest = written(newest.version, current)
  const verdict = {
    mode: 'exact' as const,
    isAhead: false,
    confidence: sureness,
    latest,
    sameLine: sameLine ? written(sameLine.version, current) : null,
    step: step && step !== newest ? written(step.version, current) : null,
    lts: lts?.lts ?? null,
    releasesBehind: stable.length,
    isAtLeast: stable.length > 0 && !areAllKnown(stable, next, completeSince),
    daysBehind: running ? daysBetween(running, newest) : null,
    newer: stable,
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

/** The releases of a line lie together, next to the running version. */
function newestOfLine(newer: DatedRelease[], current: Version, newest: Version): DatedRelease | undefined {
  const length = lineLength(current, newest)
  if (length < 1) return undefined
  const outside = newer.findLastIndex(({ version }) => !isInLine(version, current, length))
  return newer[outside + 1]
}

/** Undefined unless it is of the running line, and newer than all releases of that line that are known. */
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

/** An ended cycle of a project that supports others for long is no place to stop at. */
function isLeftForLts(own: Eol | undefined, newer: DatedRelease[], cycleOf: CycleOf): boolean {
  return own?.is_eol === true && !own.is_lts && newer.some(({ version }) => cycleOf(version)?.is_lts)
}

/** Into another cycle than its own, whose support has ended as well. */
function leadsIntoEnded({ version }: DatedRelease, own: Eol | undefined, cycleOf: CycleOf): boolean {
  const eol = cycleOf(version)
  return eol?.is_eol === true && eol.cycle !== own?.cycle
}

function daysBetween(running: DatedRelease, newest: DatedRelease): number {
  return Math.max(0, Math.round((newest.publishedAt - running.publishedAt) / 86_400))
}
