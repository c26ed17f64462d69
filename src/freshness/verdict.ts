import type { FreshnessStatus } from '../contract/freshness.ts'
import type { DatedRelease } from './releases.ts'
import type { TagFamily } from './tag-family.ts'
import type { Version } from './versions.ts'

/** Verdict on a running version, compared with the releases of its project. */
export interface VersionVerdict {
  status: FreshnessStatus
  mode: 'exact' | 'line' | 'none'
  /** 0 to 1; 0 if unknown. */
  confidence: number
  /** The numbers that decide, or why there are none. */
  evidence: string
  /** Newer than all releases in the catalog, which may itself be outdated. */
  isAhead: boolean
  /** In the format of the running version. */
  latest: string | null
  /** Number of releases, or of lines if the running version is a line. */
  releasesBehind: number | null
  /** The known releases do not go back to the running version, so there may be more. */
  isAtLeast: boolean
  daysBehind: number | null
  /** Stable releases after the running version. */
  newer: DatedRelease[]
  /** The releases that it was compared with; undefined if there are none. */
  family: TagFamily | undefined
  /**
   * The last release of the running line according to endoflife.date, if missing from the catalog's releases. Its id is 0.
   */
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

/** Verdict by old facts: newer releases may be out. */
export function byOldFacts(verdict: VersionVerdict, day: string): VersionVerdict {
  if (verdict.status !== 'up_to_date') return { ...verdict, isAtLeast: true }
  const evidence = `${verdict.evidence} known, as of ${day}`
  return { ...verdict, confidence: verdict.confidence * 0.9, evidence, releasesBehind: null, daysBehind: null }
}

/** A different first number is a major version, whatever the project calls it. */
export function distance(newest: DatedRelease, current: Version): FreshnessStatus {
  return newest.version.segments[0] === current.segments[0] ? 'minor_behind' : 'major_behind'
}

/** For a version above all in the catalog, it is unknown whether it is up to date. */
export function aheadOfCatalog(sureness: number, running: string, latest: string) {
  const evidence = `${running} is newer than the newest release in the catalog, ${latest}`
  return { status: 'unknown' as const, isAhead: true, confidence: sureness * 0.5, evidence, releasesBehind: null }
}

/** A release's version in the format of the running one, or in its own if the two belong to different tag families. */
export function written(release: Version, current: Version) {
  const text = release.lead === current.lead ? current.prefix + release.bare : release.text
  return current.isTag ? text.replaceAll('+', '-') : text
}

/** The start of a version as a floating tag with this many numbers writes it: `4.09` keeps its zero. */
export function writtenLine({ core, segments, isDate }: Version, current: Version) {
  return current.prefix + (isDate ? segments : core.split('.')).slice(0, current.segments.length).join('.')
}
