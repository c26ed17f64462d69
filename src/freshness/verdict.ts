import type { FreshnessStatus } from '../contract/freshness.ts'
import type { DatedRelease } from './releases.ts'
import type { TagFamily } from './tag-family.ts'
import type { Version } from './versions.ts'

/** Verdict on a running version against the releases of its project. */
export interface VersionVerdict {
  status: FreshnessStatus
  mode: 'exact' | 'line' | 'none'
  /** 0 to 1; 0 when unknown. */
  confidence: number
  /** The numbers that decide, or why there are none. */
  evidence: string
  /** Newer than all releases of the catalog, which may be the one that is behind. */
  isAhead: boolean
  /** Written like the running version. */
  latest: string | null
  /** Releases, or lines when the running version is one. */
  releasesBehind: number | null
  /** The known releases do not reach back to the running version, so that there may be more. */
  isAtLeast: boolean
  daysBehind: number | null
  /** Stable releases after the running version. */
  newer: DatedRelease[]
  /** The releases that it was measured against; undefined where nothing was. */
  family: TagFamily | undefined
  /** The last release of the running line, by endoflife.date, where the catalog's releases lack it. It has the id 0. */
  lastOfLine?: DatedRelease | undefined
}

export function unknownVerdict(evidence: string): VersionVerdict {
  return { ...unmeasured, status: 'unknown', mode: 'none', confidence: 0, evidence, isAhead: false }
}

const unmeasured = {
  latest: null,
  releasesBehind: null,
  isAtLeast: false,
  daysBehind: null,
  newer: [],
  family: undefined,
}

/** Another first number is a major version, whatever the project calls it. */
export function distance(newest: DatedRelease, current: Version): FreshnessStatus {
  return newest.version.segments[0] === current.segments[0] ? 'minor_behind' : 'major_behind'
}

/** A version above all that the catalog knows: nothing says whether it is current. */
export function aheadOfCatalog(sureness: number, running: string, latest: string) {
  const evidence = `${running} is newer than the newest release in the catalog, ${latest}`
  return { status: 'unknown' as const, isAhead: true, confidence: sureness * 0.5, evidence, releasesBehind: null }
}

/** A release's version in the form of the running one, or in its own where the two belong to different tags. */
export function written(release: Version, current: Version): string {
  const text = release.lead === current.lead ? current.prefix + release.bare : release.text
  return current.isTag ? text.replaceAll('+', '-') : text
}

/** The beginning of a version as a floating tag of so many numbers writes it: `4.09` keeps its zero. */
export function writtenLine({ core, segments, isDate }: Version, current: Version): string {
  return current.prefix + (isDate ? segments : core.split('.')).slice(0, current.segments.length).join('.')
}
