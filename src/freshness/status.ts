import { judgeLine } from './floating-tag.ts'
import { isInLine, isNewer, lineLength, newerReleases, onlyStable } from './newer.ts'
import type { Release, ReleaseList } from './releases.ts'
import { type TagFamily, tagFamilyOf } from './tag-family.ts'
import { aheadOfCatalog, distance, unknownVerdict, type Verdict, written } from './verdict.ts'
import { compareStages, type Version } from './versions.ts'

/** A running version against the newest stable release of its tag family. */
export function judge(list: ReleaseList, current: Version): Verdict {
  const family = tagFamilyOf(list, current)
  if (typeof family === 'string') return unknownVerdict(family)
  return family.mode === 'line' ? judgeLine(family, current) : judgeVersion(family, current)
}

function judgeVersion({ releases, schemeChanged, sureness }: TagFamily, current: Version): Verdict {
  const newer = newerReleases(releases, (release) => isNewer(release, current))
  const next = releases[newer.length]
  const running = next && compareStages(next.version, current) === 0 ? next : undefined
  const stable = onlyStable(newer, current)
  // Who runs a pre-release of what is out is told of what is out.
  const newest = stable[0] ?? (releases[0] as Release)
  const sameLine = newestOfLine(stable, current, newest.version)
  const step = sameLine ?? stable.find(({ version }) => isInLine(version, current, 1))
  const latest = written(newest.version, current)
  const verdict = {
    mode: 'exact' as const,
    isAhead: false,
    confidence: sureness,
    latest,
    sameLine: sameLine ? written(sameLine.version, current) : null,
    step: step && step !== newest ? written(step.version, current) : null,
    releasesBehind: stable.length,
    daysBehind: running ? daysBetween(running, newest) : null,
    newer: stable,
  }
  if (newer.length > 0) {
    const changed = schemeChanged ? ', which came after the version scheme changed' : ''
    return { ...verdict, status: distance(newest, current), evidence: `${current.text} < ${latest}${changed}` }
  }
  if (running) return { ...verdict, status: 'up_to_date', evidence: `${current.text} is the newest release` }
  return { ...verdict, ...aheadOfCatalog(sureness, current.text, latest) }
}

/** The releases of a line lie together, next to the running version. */
function newestOfLine(newer: Release[], current: Version, newest: Version): Release | undefined {
  const length = lineLength(current, newest)
  if (length < 1) return undefined
  const outside = newer.findLastIndex(({ version }) => !isInLine(version, current, length))
  return newer[outside + 1]
}

function daysBetween(running: Release, newest: Release): number {
  return Math.max(0, Math.round((newest.publishedAt - running.publishedAt) / 86_400))
}
